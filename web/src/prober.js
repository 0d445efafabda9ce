// Says whether the browser draws without a graphics processor.
const gl = new OffscreenCanvas(1, 1).getContext('webgl2'), info = gl?.getExtension('WEBGL_debug_renderer_info');
const name = String(info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : '');
gl?.getExtension('WEBGL_lose_context')?.loseContext();
self.postMessage({ software: /swiftshader|llvmpipe|software/i.test(name) });
self.close();
