// The shell: navigation, identity, and the page of the current place.
import * as api from "./api.js";
import { Agent } from "./pages/agent.js";
import { Agents } from "./pages/agents.js";
import { Compare } from "./pages/compare.js";
import { Compose } from "./pages/compose.js";
import { Context } from "./pages/context.js";
import { Conversation } from "./pages/conversation.js";
import { Conversations } from "./pages/conversations.js";
import { Docs, isDocs } from "./pages/docs.js";
import { DeadLetters } from "./pages/letters.js";
import { Overview } from "./pages/overview.js";
import { Parked } from "./pages/parked.js";
import { Search } from "./pages/search.js";
import { States } from "./pages/state.js";
import { Help, SEARCH } from "./keys.js";
import { Empty, Icon, Loading, PageHeader, Problem, Text, Time } from "./parts.js";
import { setProtocols } from "./protocols.js";
import { go, href, keepScroll, usePlace } from "./router.js";
import { ALWAYS, useTicks } from "./stats.js";
import { count, counted, plain } from "./text.js";
import { Announcer, announce, forgetDrafts, html, render, useCallback, useEffect, useKeys, useLoad, useMedia, useRef, useState, whenOutagesChange } from "./ui.js";
import { Component } from "./vendor/preact.js";

const SECTIONS = [
  { key: "", label: "Overview", icon: "overview", link: href([]) },
  { key: "conversations", label: "Conversations", icon: "conversations", link: href(["conversations"]) },
  { key: "dead-letters", label: "Dead letters", icon: "letters", link: href(["dead-letters"]) },
  { key: "agents", label: "Agents", icon: "agents", link: href(["agents"]) },
  { key: "search", label: "Search", icon: "search", link: href(["search"]) },
];

function Brand() {
  return html`<a class="brand" href=${href([])} aria-label="Parley, overview">
    <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" class="brand-ground" />
      <path d="M7 10h11a4 4 0 0 1 0 8h-5" class="brand-line" /><path d="M25 22H14a4 4 0 0 1 0-8" class="brand-line second" />
    </svg>
    <span>Parley</span>
  </a>`;
}

/** The section that a place belongs to. */
function sectionOf(/** @type {string[]} */ path) {
  const first = path[0] ?? "";
  return ["compare", "compose", "contexts", "states"].includes(first) ? "conversations" : first;
}

function Navigation({ place }) {
  const current = sectionOf(place.path);
  return html`<nav class="sections" aria-label="Sections">
    <ul>
      ${SECTIONS.map(
        (section) => html`<li key=${section.key}>
          <a href=${section.link} aria-current=${section.key === current ? "page" : undefined}><${Icon} name=${section.icon} size=${18} /><span>${section.label}</span></a>
        </li>`,
      )}
    </ul>
  </nav>`;
}

function Identity({ me, signOut }) {
  return html`<div class="identity">
    <${Icon} name="key" size=${15} />
    <div>
      ${me.tokens
        ? html`<b><${Text} value=${me.principal} max=${40} /></b><span class="faint">${me.roles.length > 0 ? me.roles[me.roles.length - 1] : "no role"}</span>`
        : html`<b>No tokens</b><span class="faint">everyone is a reader</span>`}
    </div>
    ${me.tokens && html`<button type="button" class="quiet small" onClick=${signOut}>Sign out</button>`}
  </div>`;
}

// eslint-disable-next-line no-restricted-globals -- Keeps the place, never a token, during the sign-in.
const stored = () => sessionStorage;
const PLACE = "parley-place";

/** Ends a sign-in from which the provider has sent the browser back; returns the problem, if it fails. */
async function finishSignIn() {
  const query = new URLSearchParams(location.search);
  if (!query.has("state")) {
    return null;
  }
  history.replaceState(null, "", location.pathname + (stored().getItem(PLACE) ?? ""));
  stored().removeItem(PLACE);
  const [code, state, iss, error] = ["code", "state", "iss", "error"].map((name) => query.get(name));
  return api.session("finish", { code, state, iss, error }).then(() => null, (problem) => problem);
}

/** Asks for a token, or sends the browser to the OpenID provider. */
function SignIn({ problem: first, enter }) {
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const [problem, setProblem] = useState(/** @type {any} */ (first));
  const { data } = useLoad((signal) => api.get("/session", {}, signal), []);
  useEffect(() => {
    document.title = "Sign in · Parley";
    field.current?.focus();
  }, []);
  const submit = (/** @type {any} */ event) => {
    event.preventDefault();
    const token = field.current?.value.trim();
    if (token) {
      api.session("token", { token }).then(enter, setProblem);
    }
  };
  const start = () => {
    stored().setItem(PLACE, location.hash);
    api.session("start").then((step) => location.assign(/** @type {string} */ (step.location)), setProblem);
  };
  return html`<main class="sign-in" id="main">
    <form onSubmit=${submit} aria-labelledby="title">
      <${Brand} />
      <h1 id="title">Sign in</h1>
      ${problem.message && problem.code !== "TOKEN_MISSING" && html`<p class="field-error" role="alert"><${Text} value=${problem.message} max=${300} /></p>`}
      ${data?.provider && html`<button type="button" class="primary" onClick=${start}>Sign in with <${Text} value=${data.provider} max=${60} /></button>`}
      <label class="field"><span>${data?.provider ? "Or enter a token" : "Token"}</span>
        <input ref=${field} name="token" type="password" autocomplete="off" spellcheck=${false} aria-invalid=${problem.code === "TOKEN_INVALID" ? "true" : undefined} /></label>
      <div class="button-row"><button type="submit" class=${data?.provider ? "" : "primary"}>Continue</button></div>
      <p class="faint">parley token creates a token; see the security page of the documentation. The browser keeps it in a cookie until you sign out, close the browser, or are away for long.</p>
    </form>
  </main>`;
}

/** Shows what went wrong instead of an empty page. */
class Boundary extends Component {
  constructor(/** @type {any} */ props) {
    super(props);
    this.state = { problem: null };
  }

  static getDerivedStateFromError(/** @type {any} */ problem) {
    return { problem };
  }

  componentDidCatch(/** @type {any} */ problem) {
    if (!(problem instanceof api.ApiProblem)) {
      console.error(problem);
    }
  }

  render(/** @type {any} */ props, /** @type {any} */ state) {
    return state.problem
      ? html`<${Problem} problem=${state.problem} retry=${() => this.setState({ problem: null })} />`
      : props.children;
  }
}

function Page({ place, me, status, lost }) {
  const [first, ...rest] = place.path;
  if (first === undefined) {
    return html`<${Overview} place=${place} me=${me} status=${status} lost=${lost} />`;
  }
  if (first === "conversations" && rest.length === 0) {
    return html`<${Conversations} place=${place} me=${me} />`;
  }
  if (first === "conversations" && rest.length === 3) {
    return html`<${Conversation} key=${rest.join("\u0000")} place=${place} me=${me} status=${status} />`;
  }
  if (first === "compose" && rest.length === 3) {
    return html`<${Compose} key=${`${rest.join("\u0000")} ${place.query.repair}`} place=${place} me=${me} />`;
  }
  if (first === "contexts" && rest.length === 2) {
    return html`<${Context} key=${rest.join("\u0000")} place=${place} me=${me} />`;
  }
  if (first === "agents" && rest.length === 2) {
    return html`<${Agent} key=${rest.join("\u0000")} place=${place} me=${me} />`;
  }
  if (first === "states" && rest.length === 3) {
    return html`<${States} key=${rest.join("\u0000")} place=${place} />`;
  }
  if (isDocs(place.path)) {
    return html`<${Docs} place=${place} />`;
  }
  const pages = /** @type {Record<string, any>} */ ({ compare: Compare, "dead-letters": DeadLetters, agents: Agents, parked: Parked, search: Search });
  if (rest.length === 0 && Object.hasOwn(pages, first)) {
    return html`<${pages[first]} place=${place} me=${me} status=${status} />`;
  }
  return html`<${PageHeader} title="Unknown page" /><${Empty} title="Nothing is here">The address names no page. <a href=${href([])}>Overview</a><//>`;
}

const REFRESH_MS = 10000;

/** Time between two renewals of the session of an active user. */
const RENEW_MS = 300000;

/** Renews the session while the user is active; a failure shows at the next request. */
function useActivity(/** @type {boolean} */ signedIn) {
  useEffect(() => {
    let renewed = -RENEW_MS;
    const listener = () => {
      if (performance.now() - renewed > RENEW_MS) {
        renewed = performance.now();
        api.renew(true).catch(() => undefined);
      }
    };
    const events = signedIn ? ["pointerdown", "keydown", "wheel"] : [];
    events.forEach((name) => addEventListener(name, listener, { passive: true }));
    return () => events.forEach((name) => removeEventListener(name, listener));
  }, [signedIn]);
}

/** Where the data of a page comes from, apart from the applications of all pages. */
const COUNTED = ["", "agents"];

/** Says that there is no connection, that data is unavailable, or how far it is behind the input. */
function Freshness({ state, section, connection, outage }) {
  if (connection.lost) {
    return html`<p class="freshness offline" role="alert"><${Icon} name="broken" /> <span>No connection since <${Time} value=${connection.lost} form="clock" /> UTC.${connection.answered && html` Data as of <${Time} value=${connection.answered} form="clock" /> UTC.`} The page continues when the server responds.</span></p>`;
  }
  if (outage) {
    return html`<p class="freshness offline" role="alert"><${Icon} name="broken" /> <span>${plain(outage.problem.title, 120)} since <${Time} value=${outage.since} form="clock" /> UTC. What this page shows may be old or incomplete until the server answers.</span></p>`;
  }
  if (state.data === null && !state.problem) {
    return null;
  }
  const overdue = state.data?.lag.overdue ?? {};
  const behind = Object.entries(overdue).filter(([name, records]) => records > 0 && (COUNTED.includes(section) || ALWAYS.includes(name)));
  const unknown = ALWAYS.filter((name) => !Object.hasOwn(overdue, name));
  return (
    (behind.length > 0 || unknown.length > 0) &&
    html`<p class="freshness behind"><${Icon} name="clock" /> <span>${behind.length > 0 &&
    `Data is about ${counted(behind.reduce((sum, [, records]) => sum + records, 0), "record")} behind (${behind.map(([name, records]) => `${name} ${count(records)}`).join(", ")}): newer messages are missing. `}${unknown.length > 0 &&
    `How far the data is behind is unknown (${unknown.join(", ")}): newer messages may be missing.`}</span></p>`
  );
}

function App({ refused }) {
  const place = usePlace();
  const [signedIn, setSignedIn] = useState(0);
  const [needed, setNeeded] = useState(/** @type {any} */ (refused));
  const me = useLoad((signal) => api.get("/v1/whoami", {}, signal), [signedIn]);
  if (me.data) {
    setProtocols(me.data.protocols);
  }
  const tick = useTicks(REFRESH_MS);
  // A caller of some namespaces may not see numbers of all.
  const hasStatus = me.data !== null && me.data.features?.status !== false;
  const status = useLoad((signal) => (hasStatus ? api.get("/v1/status", {}, signal) : Promise.resolve(null)), [signedIn, hasStatus], tick);
  const [connection, setConnection] = useState(/** @type {any} */ ({ answered: null, lost: null }));
  const [outage, setOutage] = useState(/** @type {any} */ (null));
  useEffect(() => {
    api.whenConnectionChanges(setConnection);
    whenOutagesChange(setOutage);
  }, []);
  // A phone has no room for it next to the sections.
  const phone = useMedia("(max-width: 639px)");
  useEffect(() => api.whenSignInNeeded(setNeeded), []);
  useActivity(me.data?.tokens === true && !needed);
  const enter = useCallback(() => {
    setNeeded(null);
    setSignedIn((old) => old + 1);
  }, []);
  const searching = useRef(false);
  useKeys(
    (key) => {
      const field = /** @type {HTMLElement | null} */ (document.querySelector(SEARCH));
      if (key === "/" && field) {
        field.focus();
      } else if (key === "/") {
        searching.current = true;
        go(href(["search"]));
      }
      return key === "/";
    },
    [["/", "search"]],
  );
  // After a navigation, the heading of the new page has the focus, as after a page load.
  const page = place.path.join("/");
  const shown = useRef(page);
  useEffect(() => {
    if (shown.current !== page) {
      shown.current = page;
      scrollTo(0, 0);
      const heading = document.getElementById("title");
      const field = searching.current ? /** @type {HTMLElement | null} */ (document.querySelector(SEARCH)) : null;
      searching.current = false;
      (field ?? heading)?.focus({ preventScroll: true });
      announce(plain(heading?.textContent ?? "", 80));
    }
  }, [page]);
  const signOut = async () => {
    forgetDrafts();
    const end = await api.session("end").catch((problem) => problem);
    if (end.location) {
      location.assign(end.location);
    } else {
      setNeeded(end);
    }
  };
  const skip = (/** @type {any} */ event) => {
    event.preventDefault();
    document.getElementById("main")?.focus();
  };
  if (needed) {
    return html`<${SignIn} problem=${needed} enter=${enter} /><${Announcer} />`;
  }
  return html`
    <a class="skip" href="#main" onClick=${skip}>Skip to the content</a>
    <div class="shell">
      <header class="top"><${Brand} /><${Navigation} place=${place} />${me.data && !phone && html`<${Identity} me=${me.data} signOut=${signOut} />`}</header>
      <main id="main" tabindex="-1">
        <${Freshness} state=${status} section=${place.path[0] ?? ""} connection=${connection} outage=${outage} />
        ${me.problem
          ? html`<${Problem} problem=${me.problem} retry=${me.reload} />`
          : me.data
            ? html`<${Boundary} key=${page}><${Page} place=${place} me=${me.data} status=${status} lost=${Boolean(connection.lost || outage)} /><//>`
            : html`<${Loading} lines=${6} />`}
        ${me.data && phone && html`<footer class="foot"><${Identity} me=${me.data} signOut=${signOut} /></footer>`}
      </main>
    </div>
    <${Help} />
    <${Announcer} />
  `;
}

const refused = await finishSignIn();
keepScroll();
render(html`<${App} refused=${refused} />`, /** @type {HTMLElement} */ (document.getElementById("app")));
