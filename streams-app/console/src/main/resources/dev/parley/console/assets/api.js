// The HTTP API. The token is in a cookie that no script can read: not in memory, in storage, or in a URL.

let onSignInNeeded = /** @type {(problem: ApiProblem) => void} */ (() => {});

/** Has a function called whenever the server requires a sign-in. */
export function whenSignInNeeded(/** @type {(problem: ApiProblem) => void} */ listener) {
  onSignInNeeded = listener;
}

/** A failure of a request, as the API describes it. */
export class ApiProblem extends Error {
  constructor(/** @type {any} */ body, /** @type {number} */ status) {
    super(body.detail ?? body.title ?? "The request failed.");
    this.status = status;
    this.code = String(body.code ?? "");
    this.title = String(body.title ?? "The request failed");
  }
}

/**
 * The path of a resource.
 *
 * @param {(string | number)[]} parts segments after /v1
 */
export function path(...parts) {
  return (
    "/v1/" +
    parts
      .map((part) => {
        // Browsers and proxies may change such segments, whatever their encoding: Base64 for URLs, after a ~.
        const name = String(part);
        if (/^$|^~|^\.\.?$|[/\\%;]/.test(name)) {
          const bytes = String.fromCharCode(...new TextEncoder().encode(name));
          return "~" + btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
        }
        return encodeURIComponent(name);
      })
      .join("/")
  );
}

function target(/** @type {string} */ resource, /** @type {Record<string, any>} */ query) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== null && one !== undefined && one !== "") {
        search.append(name, String(one));
      }
    }
  }
  const tail = search.toString();
  return new URL(resource.slice(1) + (tail ? "?" + tail : ""), document.baseURI.replace(/#.*$/, ""));
}

/** Waits, unless the signal ends the wait. */
export function pause(/** @type {number} */ ms, /** @type {AbortSignal | undefined} */ signal) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

const MAX_ATTEMPTS = 4;
const RECONNECT_MS = 2000;

/** Times of the last response, and of the first request after it that had none; null if there was none. */
let connection = /** @type {{answered: Date | null, lost: Date | null}} */ ({ answered: null, lost: null });
let onConnection = /** @type {(connection: any) => void} */ (() => {});

/** Has a function called now, and whenever the server is lost or found again. */
export function whenConnectionChanges(/** @type {(connection: any) => void} */ listener) {
  onConnection = listener;
  listener(connection);
}

function connected(/** @type {boolean} */ answered) {
  const changed = answered !== (connection.lost === null);
  connection = answered ? { answered: new Date(), lost: null } : { ...connection, lost: connection.lost ?? new Date() };
  if (changed) {
    onConnection(connection);
  }
}

/**
 * Sends a request. A read that the server asks to repeat, or that has no response, is repeated after a while, so a page
 * keeps what it shows until the server is back.
 *
 * @template T
 * @param {URL} url
 * @param {RequestInit} init
 * @param {(response: Response) => Promise<T>} read reads the response
 * @param {boolean} renewable whether a renewal of the session may help
 */
async function send(url, init, read, renewable = true) {
  const reads = (init.method ?? "GET") === "GET";
  for (let attempt = 1; ; attempt++) {
    const headers = new Headers(init.headers);
    // Pages of other origins cannot send this header, without which the server uses no cookie.
    headers.set("Parley-Console", location.protocol.slice(0, -1));
    let response;
    try {
      response = await fetch(url, {
        ...init,
        headers,
        credentials: "same-origin",
        cache: "no-store",
        redirect: "error",
        referrerPolicy: "no-referrer",
      });
      if (response.ok) {
        const result = await read(response);
        connected(true);
        return result;
      }
    } catch (failure) {
      if (init.signal?.aborted || failure instanceof SyntaxError) {
        throw failure;
      }
      response = null;
    }
    const problem = new ApiProblem((await response?.json().catch(() => null)) ?? {}, response?.status ?? 0);
    // A proxy without a server answers for it, without a code.
    const lost = response === null || (response.status >= 502 && !problem.code);
    connected(!lost);
    if (lost && reads) {
      attempt = 0;
      await pause(RECONNECT_MS, init.signal ?? undefined);
      continue;
    }
    if (lost) {
      throw new ApiProblem({ title: "No connection", detail: "The server does not respond." }, 0);
    }
    if (problem.status === 401 && renewable) {
      renewable = false;
      const refused = await renew(false).then(() => null, (failure) => failure);
      if (refused === null) {
        attempt = 0;
        continue;
      }
      if (refused.status === 401) {
        onSignInNeeded(problem);
      }
    }
    const wait = Number(response?.headers.get("Retry-After"));
    const repeatable = reads && (problem.status === 429 || problem.status === 503);
    if (!repeatable || attempt === MAX_ATTEMPTS || !(wait > 0 && wait <= 10)) {
      throw problem;
    }
    await pause(wait * 1000, init.signal ?? undefined);
  }
}

/** JSON, with integers that a number cannot represent as their digits. */
async function json(/** @type {Response} */ response) {
  return exactly(await response.text());
}

function exactly(/** @type {string} */ text) {
  // TypeScript does not know the third parameter yet.
  const exact = /** @type {any} */ (
    (/** @type {string} */ _, /** @type {any} */ value, /** @type {{source?: string}} */ context) =>
      typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value) ? (context?.source ?? `about ${value}`) : value
  );
  return JSON.parse(text, /\d{16}/.test(text) ? exact : undefined);
}

/** Reads a resource. */
export async function get(
  /** @type {string} */ resource,
  /** @type {Record<string, any>} */ query = {},
  /** @type {AbortSignal | undefined} */ signal = undefined,
) {
  return send(target(resource, query), { signal, headers: { Accept: "application/json" } }, json);
}

/**
 * Reads a page of a list from a cursor on: the first that is not empty, because a filter may select nothing of a page.
 */
export async function getPage(
  /** @type {string} */ resource,
  /** @type {Record<string, any>} */ query,
  /** @type {AbortSignal | undefined} */ signal,
) {
  let page;
  do {
    page = /** @type {any} */ (await get(resource, { ...query, cursor: page?.next ?? query.cursor }, signal));
  } while (page.items.length === 0 && page.next !== null);
  return page;
}

/** Reads a file of the console, or a resource that is not JSON. */
export async function text(/** @type {string} */ file, /** @type {AbortSignal} */ signal) {
  return send(target(file, {}), { signal }, (response) => response.text());
}

/** The address of a resource. */
export function address(/** @type {string} */ resource, /** @type {Record<string, any>} */ query) {
  return target(resource, query).href;
}

/** Saves a resource as a file: a link would not send the header of the console. */
export async function download(/** @type {string} */ resource, /** @type {string} */ file) {
  saveAs(await send(target(resource, {}), {}, (response) => response.blob()), file);
}

/** Saves content as a file. */
export function saveAs(/** @type {Blob} */ content, /** @type {string} */ file) {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = file;
  link.click();
  // The browser reads the content after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

/** Sends a JSON object, or a text. */
export async function post(/** @type {string} */ resource, /** @type {any} */ body, /** @type {AbortSignal} */ signal, type = "application/json") {
  const headers = { "Content-Type": type, Accept: "application/json" };
  return send(target(resource, {}), { method: "POST", signal, body: typeof body === "string" ? body : JSON.stringify(body), headers }, json);
}

let last = /** @type {Promise<any>} */ (Promise.resolve());

/** Runs one after the other, also of other tabs: each may set another cookie. */
function inTurn(/** @type {() => Promise<any>} */ run) {
  // Browsers have locks only on HTTPS and localhost.
  last = navigator.locks ? navigator.locks.request("parley-session", run) : last.then(run, run);
  return last;
}

/**
 * Signs in or out.
 *
 * @param {"token" | "start" | "finish" | "renew" | "end"} action
 * @returns {Promise<{location: string | null}>} where the browser continues, if it does not stay
 */
export async function session(action, body = /** @type {any} */ ({})) {
  const headers = { "Content-Type": "application/json" };
  // Completes after a reload: the provider may accept a refresh token only once.
  const init = { method: "POST", keepalive: true, body: JSON.stringify(body), headers };
  return inTurn(() => send(target("/session/" + action, {}), init, json, false));
}

let renewing = /** @type {Promise<any> | null} */ (null);

/** Renews the session. */
export function renew(/** @type {boolean} */ active) {
  renewing ??= session("renew", { active }).finally(() => {
    renewing = null;
  });
  return renewing;
}

/** Lines of a streamed response. */
async function* lines(/** @type {Response} */ response) {
  if (!response.body) {
    return;
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      break;
    }
    const split = (rest + value).split("\n");
    rest = split.pop() ?? "";
    yield* split;
  }
  if (rest) {
    yield rest;
  }
}

/** Objects of a response in JSON lines. */
export async function* jsonLines(
  /** @type {string} */ resource,
  /** @type {Record<string, any>} */ query,
  /** @type {AbortSignal} */ signal,
) {
  const response = await send(target(resource, query), { signal, headers: { Accept: "application/x-ndjson" } }, async (response) => response);
  for await (const line of lines(response)) {
    if (line.trim()) {
      yield exactly(line);
    }
  }
}

/**
 * Server-sent events, read with fetch because EventSource cannot send the header of the console. Reconnects after the
 * last event until the signal ends it.
 *
 * @param {string} resource
 * @param {Record<string, any>} query
 * @param {{record: (data: any) => void, status: (text: string) => void}} listener
 * @param {AbortSignal} signal
 */
export async function follow(resource, query, listener, signal) {
  let last = /** @type {string | null} */ (null);
  for (let failures = 0; !signal.aborted; ) {
    try {
      const headers = new Headers({ Accept: "text/event-stream" });
      if (last !== null) {
        headers.set("Last-Event-ID", last);
      }
      const response = await send(target(resource, query), { signal, headers }, async (response) => response);
      listener.status("live");
      let event = "message";
      let data = "";
      let id = /** @type {string | null} */ (null);
      for await (const raw of lines(response)) {
        const line = raw.replace(/\r$/, "");
        if (line === "") {
          // Not before the end of the block: of a block that a lost connection cuts off, nothing was read.
          last = id ?? last;
          if (data) {
            const parsed = exactly(data);
            if (event === "record") {
              failures = 0;
              listener.record(parsed);
            } else if (event === "end") {
              listener.status(String(parsed.reason ?? "ended").toLowerCase().replaceAll("_", " "));
              if (parsed.reason === "EXPIRED") {
                last = null;
              }
            }
          }
          event = "message";
          data = "";
          id = null;
        } else if (line.startsWith("event:")) {
          event = line.slice(6).trim();
        } else if (line.startsWith("data:")) {
          data += line.slice(5).trimStart();
        } else if (line.startsWith("id:")) {
          id = line.slice(3).trim();
        }
      }
    } catch (failure) {
      if (signal.aborted) {
        return;
      }
      const status = /** @type {any} */ (failure).status ?? 0;
      if (status >= 400 && status < 500 && status !== 429) {
        throw failure;
      }
      failures++;
    }
    listener.status("reconnecting");
    await pause(Math.min(500 * 2 ** failures, 15000), signal).catch(() => undefined);
  }
}

const codes = /** @type {Map<string, any>} */ (new Map());
let codesLoaded = /** @type {Promise<void> | null} */ (null);

/** The explanation of a code: meaning, remedy and section; null if this server does not know it. */
export async function explain(/** @type {string} */ code) {
  codesLoaded ??= get("/v1/codes").then(
    (answer) => answer.items.forEach((/** @type {any} */ item) => codes.set(item.code, item)),
    (failure) => {
      codesLoaded = null;
      throw failure;
    },
  );
  await codesLoaded;
  return codes.get(code) ?? null;
}

/** All codes. */
export async function allCodes() {
  await explain("");
  return [...codes.values()];
}
