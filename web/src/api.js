// Questions to the server. Addresses are relative: the token is part of the page's own.

async function ask(path, options) {
  const reply = await fetch(path, options);
  if (reply.ok) return reply;
  const said = await reply.json().catch(() => ({}));
  const error = new Error(said.error ?? `the server answers ${reply.status}`);
  error.code = reply.status;
  throw error;
}

export const getRuns = async () => (await ask('runs.json')).json();
export const getIndex = async (run) => (await ask(`run/${run}/index.json`)).json();
export const getScene = async (run) => (await ask(`run/${run}/scene.json`)).json();
export const getSolids = async (run) => (await ask(`run/${run}/solids.json`)).json();
export const getPick = async (run, part, frame, index) => (await ask(`run/${run}/pick/${part}/${frame}/${index}`)).json();
export const getBytes = async (path) => (await ask(path)).arrayBuffer();
export const post = async (run, what) => ask(`run/${run}/${what}`, { method: 'POST' });
