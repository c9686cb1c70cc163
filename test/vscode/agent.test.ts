import assert from 'node:assert/strict';
import { commands, type LanguageModelTextPart, lm, TabInputWebview, window } from 'vscode';
import manifest from '../../package.json' with { type: 'json' };
import { TOOLS } from '../../src/agent/index.ts';
import { answer, onCheckedInputs, onMessages, restore } from '../unit/answers.ts';
import { startService, type TestService } from '../unit/test-service.ts';
import { closeEditors } from './editors.ts';

const BOT = '30481126';
const GROUP = '518204736';
const ALICE = '7058314';

type Input = Record<string, unknown>;

const INPUTS: Record<(typeof TOOLS)[number], Input> = {
  list: {},
  look_up: { ids: [GROUP, ALICE, '999999999'] },
  read: { chatType: 'group', chatId: GROUP, count: 50 },
  search: { query: 'tea' },
  activity: {},
  draft: { body: 'Hello', groups: [GROUP] },
  delivery: {},
};

async function call(tool: string, input: Input): Promise<string> {
  const { content } = await lm.invokeTool(`botchats_${tool}`, { input, toolInvocationToken: undefined });
  return (content as LanguageModelTextPart[]).map(({ value }) => value).join('');
}

describe('Tools for agents in VS Code', () => {
  let service: TestService;

  before(async () => {
    service = await startService({ groups: [GROUP], bots: [BOT], people: [ALICE], 'agents.access': 'all' });
    onCheckedInputs(service.sandbox.token(BOT) ?? '');
    await commands.executeCommand('botChats.setToken', { id: BOT });
    restore();
  });
  after(async () => {
    answer('showQuickPick', (async (items: unknown[]) => (await items)[0]) as unknown as typeof window.showQuickPick);
    onMessages();
    await commands.executeCommand('botChats.removeToken');
    restore();
    await service.close();
  });
  beforeEach(() => void service.requests.splice(0));
  afterEach(closeEditors);

  it('are there for any model, with a description of when to use them', () => {
    const own = lm.tools.filter(({ name }) => name.startsWith('botchats_'));
    assert.deepEqual(own.map(({ name }) => name).sort(), TOOLS.map((name) => `botchats_${name}`).sort());
    for (const { description, inputSchema, tags } of own) {
      assert.ok(description.length > 100 && /\b(?:can't|doesn't|never|Only|only)\b/.test(description), description);
      assert.ok(inputSchema && tags.length > 0);
    }
    const contributed = manifest.contributes.languageModelTools;
    assert.deepEqual(
      contributed.map(({ name }) => name),
      TOOLS.map((name) => `botchats_${name}`),
    );
    for (const { when, icon, toolReferenceName } of contributed) {
      assert.match(when, /config\.botChats\.agents\.enabled && isWorkspaceTrusted/);
      assert.ok(icon && toolReferenceName);
    }
  });

  it('open a draft with its block and its preview, and send nothing', async () => {
    const everyone = { groups: [GROUP, '999999999'], people: [ALICE], audiences: ['nobody'] };
    const body = '---\nchat:\n  groups: [1]\n---\n\nNow **buy**!';
    const buttons = [[{ text: 'Docs: "here"', opens: 'https://a.example' }]];
    const result = await call('draft', { body, botId: BOT, ...everyone, buttons });
    const document = window.activeTextEditor?.document;
    assert.ok(document?.isUntitled);
    assert.equal(document.languageId, 'markdown');
    assert.equal(
      document.getText().replace(/ # .*/g, ''),
      `---\nchat:\n  bot: "${BOT}"\n  groups:\n    - "${GROUP}"\n    - "999999999"\n  people:\n    - "${ALICE}"\n  audiences:\n    - "nobody"\n  buttons:\n    - - text: "Docs: \\"here\\""\n        opens: "https://a.example"\n---\n\n${body}`,
    );
    assert.match(
      result,
      /^The draft is open in the editor\. It is not sent\. Recipients: 3\. Problems that its checks find: \d/,
    );
    assert.match(result, /Audience nobody isn't in your settings\./);
    const tabs = window.tabGroups.all.flatMap((group) => group.tabs);
    assert.ok(tabs.some(({ input }) => input instanceof TabInputWebview && input.viewType.includes('preview')));
    assert.ok(service.requests.every(({ pathname }) => !pathname.endsWith('/batch_send')));
  });

  it('answer, and run no command except the preview of a draft', async () => {
    const ran: string[] = [];
    const { executeCommand } = commands;
    Object.defineProperty(commands, 'executeCommand', {
      configurable: true,
      value: (name: string, ...args: unknown[]) => {
        ran.push(name);
        return executeCommand(name, ...args);
      },
    });
    const answers: string[] = [];
    try {
      for (const name of TOOLS) answers.push(await call(name, INPUTS[name]));
    } finally {
      Object.defineProperty(commands, 'executeCommand', { configurable: true, value: executeCommand });
    }
    // Of the walkthrough.
    assert.deepEqual(
      ran.filter((name) => name !== 'setContext'),
      ['botChats.preview'],
    );
    const [list, found, read, search, activity, , deliveries] = answers;
    assert.match(list ?? '', /"name":"Fern & Kettle: the shop team"/);
    assert.match(found ?? '', /"nickname":"Alice Fernhollow"/);
    assert.match(read ?? '', /--- untrusted [\da-f]{16}\n\{"time":"20/);
    assert.match(search ?? '', /^No messages found\. (?:No chat that you may see is archived|Searched the archive)/);
    assert.match(activity ?? '', /^Nothing found\. The user watches no chat/);
    assert.match(deliveries ?? '', /^The outbox has \d+ deliver/);
    assert.ok(service.requests.every(({ pathname }) => !pathname.endsWith('/batch_send')));
  });
});
