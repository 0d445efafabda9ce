// Fetches and decodes frames beside the page, so that it stays smooth.
import { fetchFrame } from './fetch.js';
import { frameBuffers } from './wire.js';

self.onmessage = async (event) => {
  const { id, url } = event.data, said = await fetchFrame(url);
  self.postMessage({ id, ...said }, said.frame ? frameBuffers(said.frame) : []);
};
