// The audited protocols: the server names them.

import { plain } from "./text.js";

/** Names for people, by the names in chain keys, in the order of lists. */
const titles = new Map();

/** Takes the protocols that the server names to the caller. */
export function setProtocols(/** @type {{ name: string, title: string }[]} */ protocols) {
  titles.clear();
  for (const { name, title } of protocols) {
    titles.set(name, title);
  }
  titles.set("EXTENSION", "Extension").set("UNKNOWN", "Unknown");
}

/** Their names, as in chain keys; further ones for extensions, and for records of no protocol. */
export function protocols() {
  return [...titles.keys()];
}

/** Whether chain keys name this protocol; they name an extension by its own name. */
export function isNamed(/** @type {string} */ name) {
  return titles.has(name) && name !== "EXTENSION";
}

export function protocolName(/** @type {string} */ name) {
  return titles.get(String(name).toUpperCase()) ?? plain(name, 20);
}
