// The keys of the page, in a dialog.
import { html, keyHelp, useEffect, useKeys, useRef, useState } from "./ui.js";

/** Selects the field for words. */
export const SEARCH = "main input[type=search], main input[name=q]";

const ALWAYS = [["Tab, Enter", "links and controls; first, skips to the content and to the list"]];
const LIST = [["arrows, Page Up, Page Down, Home, End", "select a row of the focused list"]];
const HELP = [["?", "this help"]];

/** A dialog that the key ? opens, and Escape closes. */
export function Help() {
  const [open, setOpen] = useState(false);
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useKeys((key) => {
    setOpen((/** @type {boolean} */ old) => old || key === "?");
    return key === "?";
  }, HELP);
  useEffect(() => {
    if (open) {
      dialog.current?.showModal();
    }
  }, [open]);
  // Its only control keeps the focus.
  const keep = (/** @type {KeyboardEvent} */ event) => event.key === "Tab" && event.preventDefault();
  const rows = open ? [...ALWAYS, ...(document.querySelector("[role=listbox]") ? LIST : []), ...keyHelp()] : [];
  return (
    open &&
    html`<dialog class="keys" ref=${dialog} aria-labelledby="keys" onClose=${() => setOpen(false)} onKeyDown=${keep}>
      <h2 id="keys">Keys of this page</h2>
      <dl>${rows.map(([keys, effect]) => html`<dt key=${keys}><kbd>${keys}</kbd></dt><dd>${effect}</dd>`)}</dl>
      <button type="button" onClick=${() => dialog.current?.close()}>Close</button>
    </dialog>`
  );
}
