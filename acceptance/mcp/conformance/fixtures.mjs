// The tools, resources and prompts that the scenarios of the conformance suite name, as the suite describes them.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ProtocolError, ResourceTemplate, acceptedContent, completable, inputRequired, inputResponse,
} from '@modelcontextprotocol/server';
import * as z from 'zod';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';
const image = { type: 'image', data: PNG, mimeType: 'image/png' };
const text = (value) => ({ type: 'text', text: value });
const content = (...parts) => ({ content: parts });
const user = (...parts) => ({ messages: parts.map((part) => ({ role: 'user', content: part })) });
const object = (properties, required = Object.keys(properties)) => ({ type: 'object', properties, required });
const string = { type: 'string' };
const elicit = (message, properties, required) =>
  inputRequired.elicit({ message, requestedSchema: object(properties, required) });
const sample = (prompt, maxTokens) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: text(prompt) }], maxTokens });

/** Adds a tool or prompt that asks for inputs and then returns a result of the responses. */
const asking = (requests, result, state = undefined) => async (...args) => {
  const { mcpReq } = args.at(-1);
  const wanted = requests(args[0]);
  const responses = mcpReq.inputResponses ?? {};
  const complete = Object.keys(wanted).every((key) => inputResponse(responses, key).kind !== 'missing');
  if (complete) return result(responses, args[0], mcpReq);
  return inputRequired({ inputRequests: wanted, ...(state ? { requestState: await state() } : {}) });
};

const DEFAULTS = {
  name: { ...string, default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { ...string, enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};
const titled = (...titles) => titles.map((title, n) => ({ const: `value${n + 1}`, title }));
const ENUMS = {
  untitledSingle: { ...string, enum: ['option1', 'option2', 'option3'] },
  titledSingle: { ...string, oneOf: titled('First Option', 'Second Option', 'Third Option') },
  legacyEnum: { ...string, enum: ['opt1', 'opt2', 'opt3'], enumNames: ['Option One', 'Option Two', 'Option Three'] },
  untitledMulti: { type: 'array', items: { ...string, enum: ['option1', 'option2', 'option3'] } },
  titledMulti: { type: 'array', items: { anyOf: titled('First Choice', 'Second Choice', 'Third Choice') } },
};

export function add(server, codec) {
  const tool = (name, callback, properties) => server.registerTool(
    `test_${name}`, { description: name, ...(properties ? { inputSchema: z.object(properties) } : {}) }, callback);
  const embedded = (uri, mimeType, value) => ({ type: 'resource', resource: { uri, mimeType, text: value } });
  tool('simple_text', () => content(text('This is a simple text response for testing.')));
  tool('image_content', () => content(image));
  tool('audio_content', () => content({ type: 'audio', data: WAV, mimeType: 'audio/wav' }));
  tool('embedded_resource', () => content(
    embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')));
  tool('multiple_content_types', () => content(text('Multiple content types test:'), image,
    embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}')));
  tool('error_handling', () => { throw new Error('This tool intentionally returns an error for testing'); });
  tool('tool_with_logging', async ({ mcpReq }) => {
    for (const message of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.log('info', message);
      await sleep(50);
    }
    return content(text('done'));
  });
  tool('tool_with_progress', async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
      }
      await sleep(50);
    }
    return content(text('done'));
  });
  tool('reconnection', async ({ http }) => {
    http?.closeSSE?.();
    await sleep(100);
    return content(text('Reconnection test completed'));
  });
  tool('sampling', asking(({ prompt }) => ({ sample: sample(prompt, 100) }),
    (responses) => content(text(`LLM response: ${JSON.stringify(inputResponse(responses, 'sample').result.content)}`))),
  { prompt: z.string() });
  const elicited = (responses) => {
    const { action, content: value } = inputResponse(responses, 'answer');
    return content(text(`Elicitation completed: action=${action}, content=${JSON.stringify(value ?? {})}`));
  };
  tool('elicitation', asking(
    ({ message }) => ({ answer: elicit(message, { username: string, email: string }) }), elicited),
  { message: z.string() });
  tool('elicitation_sep1034_defaults', asking(() => ({ answer: elicit('Defaults', DEFAULTS, []) }), elicited));
  tool('elicitation_sep1330_enums', asking(() => ({ answer: elicit('Enums', ENUMS, []) }), elicited));

  const name = () => elicit('What is your name?', { name: string });
  const hello = (responses) => {
    const accepted = acceptedContent(responses, 'user_name', z.object({ name: z.string() }));
    if (accepted) return content(text(`Hello, ${accepted.name}!`));
    return inputRequired({ inputRequests: { user_name: name() } });
  };
  const roots = inputRequired.listRoots();
  const state = (value) => () => codec.mint(value);
  tool('input_required_result_elicitation', asking(() => ({ user_name: name() }), hello));
  tool('input_required_result_sampling', asking(
    () => ({ capital_question: sample('What is the capital of France?', 100) }),
    (responses) => content(inputResponse(responses, 'capital_question').result.content)));
  tool('input_required_result_list_roots', asking(() => ({ client_roots: roots }),
    (responses) => content(text(JSON.stringify(inputResponse(responses, 'client_roots').roots)))));
  for (const kind of ['request', 'tampered']) {
    tool(`input_required_result_${kind}_state`, asking(
      () => ({ confirm: elicit('Please confirm', { ok: { type: 'boolean' } }) }),
      (responses, args, mcpReq) => {
        if (mcpReq.requestState() === undefined) throw new ProtocolError(-32602, 'requestState is missing');
        return content(text('state-ok'));
      }, state({ kind })));
  }
  tool('input_required_result_multiple_inputs', asking(
    () => ({ user_name: name(), greeting: sample('Generate a greeting', 50), client_roots: roots }),
    () => content(text('all')), state({ kind: 'multiple' })));
  tool('input_required_result_multi_round', async ({ mcpReq }) => {
    const { round = 0 } = mcpReq.requestState() ?? {};
    const steps = [['Step 1: What is your name?', 'name'], ['Step 2: What is your favorite color?', 'color']];
    const done = round > 0 && inputResponse(mcpReq.inputResponses, `step${round}`).kind !== 'missing';
    const next = done ? round : Math.max(0, round - 1);
    if (next >= steps.length) return content(text('done'));
    const [message, property] = steps[next];
    return inputRequired({
      inputRequests: { [`step${next + 1}`]: elicit(message, { [property]: string }) },
      requestState: await codec.mint({ round: next + 1 }),
    });
  });
  tool('input_required_result_capabilities', (context) => {
    const { elicitation, sampling } = context.mcpReq.envelope?.['io.modelcontextprotocol/clientCapabilities'] ?? {};
    return asking(() => ({
      ...(elicitation ? { user_name: name() } : {}),
      ...(sampling ? { greeting: sample('Generate a greeting', 50) } : {}),
    }), () => content(text('all')))(context);
  });
  tool('missing_capability', asking(
    () => ({ greeting: sample('Generate a greeting', 50) }), () => content(text('sampled'))));
  tool('streaming_elicitation', asking(() => ({ user_name: name() }), hello));

  const resource = (uri, mimeType, part) =>
    server.registerResource(uri, uri, { mimeType }, () => ({ contents: [{ uri, mimeType, ...part }] }));
  resource('test://static-text', 'text/plain', { text: 'This is the content of the static text resource.' });
  resource('test://static-binary', 'image/png', { blob: PNG });
  resource('test://watched-resource', 'text/plain', { text: 'watched' });
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, {}, ({ href }, { id }) => {
    const data = { id, templateTest: true, data: `Data for ID: ${id}` };
    return { contents: [{ uri: href, mimeType: 'application/json', text: JSON.stringify(data) }] };
  });

  const prompt = (title, callback, args) => server.registerPrompt(
    `test_${title}`, { description: title, ...(args ? { argsSchema: z.object(args) } : {}) }, callback);
  prompt('simple_prompt', () => user(text('This is a simple prompt for testing.')));
  const words = (value) => ['paris', 'park', 'party'].filter((word) => word.startsWith(value));
  prompt('prompt_with_arguments',
    ({ arg1, arg2 }) => user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
    { arg1: completable(z.string(), words), arg2: z.string() });
  prompt('prompt_with_embedded_resource', ({ resourceUri }) => user(
    embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
    text('Please process the embedded resource above.')),
  { resourceUri: z.string() });
  prompt('prompt_with_image', () => user(image, text('Please analyze the image above.')));
  prompt('input_required_result_prompt', asking(
    () => ({ user_context: elicit('What context should the prompt use?', { context: string }) }),
    (responses) => user(text(JSON.stringify(inputResponse(responses, 'user_context').content ?? {})))));
}
