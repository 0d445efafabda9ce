// One frame from the server, decoded: { frame }, or { error, code } with code 0 where no server answers.
import { decode } from './wire.js';

export async function fetchFrame(url) {
  try {
    const reply = await fetch(url);
    if (!reply.ok) {
      const said = await reply.json().catch(() => ({}));
      return { error: said.error ?? `code ${reply.status}`, code: reply.status };
    }
    const buffer = await reply.arrayBuffer();
    const begin = performance.now();
    const frame = decode(buffer);
    frame.wire = buffer.byteLength;
    frame.decodeTime = performance.now() - begin;
    return { frame };
  } catch (error) {
    return { error: String(error.message ?? error), code: 0 };
  }
}
