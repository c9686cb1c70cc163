import assert from 'node:assert/strict';
import { commands, window } from 'vscode';
import manifest from '../../../../package.json' with { type: 'json' };
import { problemsWhileWriting } from '../../../../src/deliveries/draft/document/problem.ts';
import { DraftReader } from '../../../../src/deliveries/draft/draftReader.ts';
import { openNewDraft, openPersonalDraft } from '../../../../src/deliveries/draft/newDraft.ts';
import type { Connection } from '../../../../src/platform/service.ts';
import type { Chat } from '../../../../src/service/model.ts';
import { newHost } from '../../test-host.ts';
import { newConnection, useService } from '../../test-service.ts';
import { closeDocuments } from '../../vscode-editors.ts';
import { readBeside } from './document/read.ts';
import { newFolder } from './editing/drafts.ts';

describe('A new message', () => {
  const service = useService({});
  let connection: Connection;
  /** How often groups were suggested. */
  let suggested: number;

  beforeEach(() => {
    connection = newConnection();
    service.requests.splice(0);
    suggested = 0;
  });
  afterEach(() => {
    closeDocuments();
    connection.dispose();
  });

  const hostWithPreview = () => {
    const host = newHost({ connection });
    host.commands.register('preview', async () => {});
    return host;
  };

  /** The text of a new message, of bots with a saved token. The only thing wrong with it is that it's empty. */
  async function newMessage(saved: readonly string[] = [], botId?: string, chats: readonly Chat[] = []) {
    const host = hostWithPreview();
    for (const bot of saved) await host.tokens.set(await connection.open(), bot, 'token');
    const suggesting = commands.registerCommand('editor.action.triggerSuggest', () => void suggested++);
    await openNewDraft(host, chats, botId);
    suggesting.dispose();
    const { document } = window.activeTextEditor ?? assert.fail('no editor');
    const { problems } = await new DraftReader(host).read(document);
    assert.deepEqual(
      problems.map(({ text }) => text),
      ['The message is empty.'],
    );
    return document.getText();
  }
  const HINT = '# recipients: people.csv # A CSV file, whose columns are variables, such as {{name}}\n  # kind: person';
  const BUTTONS =
    '# buttons: [{text: Learn More, opens: "https://example.com"}] # A button below the message: opens a URL, copies text, or reports a value to the bot';
  const skeleton = (bot: string) => `---\nchat:\n${bot}  groups: []\n  people: []\n  ${HINT}\n  ${BUTTONS}\n---\n\n`;

  it('begins with a block to be filled in, in which nothing is wrong', async () => {
    assert.equal(await newMessage(['30481126', '30481127']), skeleton(''));
    assert.deepEqual(service.requests, []);
    assert.equal(suggested, 1);
  });

  it('says where personal values come from, in lines that name the file and whose IDs it has without the first #', async () => {
    const text = await newMessage();
    const written = text.replace('# recipients', 'recipients').replace('# kind', 'kind');
    const { parsed } = await readBeside({}, written);
    assert.equal(parsed.recipientFile?.path, 'people.csv');
    assert.equal(parsed.recipientFile?.kind, 'user');
  });

  it('shows how a button is written, in a line that is one without the first #', async () => {
    const group = { kind: 'group', id: '518204736' } as const;
    for (const text of [await newMessage(), await newMessage([], undefined, [group])]) {
      const { message, problems } = await readBeside({}, `${text}Hi`.replace('# buttons', 'buttons'));
      assert.deepEqual(message?.content.buttons, [[{ text: 'Learn More', actionType: 1, url: 'https://example.com' }]]);
      assert.deepEqual(problems, []);
    }
  });

  it('names the bot that was chosen, or the only one with a token', async () => {
    const named = skeleton('  bot: "30481126"\n');
    assert.equal(await newMessage(['30481126']), named);
    assert.equal(await newMessage(['1', '2'], '30481126'), named);
    assert.equal(await newMessage([], 'a$1{}\\'), skeleton('  bot: "a$1{}\\\\"\n'));
  });

  it('to a chat names it and its bot, and is gone on with at its end', async () => {
    const text = await newMessage([], '30481126', [{ kind: 'group', id: '518204736' }]);
    assert.equal(text, `---\nchat:\n  bot: "30481126"\n  groups:\n    - "518204736"\n  ${BUTTONS}\n---\n\n`);
    const { document, selection } = window.activeTextEditor ?? assert.fail('no editor');
    assert.equal(document.offsetAt(selection.active), text.length);
  });

  it('is offered in every menu of a CSV file', () => {
    const menus = Object.entries(manifest.contributes.menus).filter(([, entries]) =>
      entries.some((entry) => entry.command === 'botChats.newMessageFromFile' && entry.when.includes('csv|tsv')),
    );
    assert.deepEqual(
      menus.map(([menu]) => menu),
      ['editor/title', 'editor/context', 'explorer/context'],
    );
  });

  it('goes to the recipients in a CSV file beside it, says that they are people if the file does not, and begins without a problem', async () => {
    const host = hostWithPreview();
    const { write, uriOf } = newFolder();
    await write('shifts.csv', 'id,shift\n7058314,early');
    await write('kinds.csv', 'id,kind\n7058314,person');
    await write('kinds.md', '');
    const drafted = async (name: string) => {
      await openPersonalDraft(host, new DraftReader(host), uriOf(name));
      const { document } = window.activeTextEditor ?? assert.fail('no editor');
      const { problems } = await new DraftReader(host).read(document);
      assert.deepEqual(problemsWhileWriting(problems, document), []);
      return [document.uri.path.split('/').at(-1), document.isUntitled, document.languageId, document.getText()];
    };
    const shifts = '---\nchat:\n  recipients: "shifts.csv"\n  kind: person\n---\n\n{{shift}}';
    assert.deepEqual(await drafted('shifts.csv'), ['shifts.md', true, 'markdown', shifts]);
    assert.deepEqual((await drafted('shifts.csv'))[0], 'shifts-2.md');
    const kinds = '---\nchat:\n  recipients: "kinds.csv"\n---\n\n';
    assert.deepEqual(await drafted('kinds.csv'), ['kinds-2.md', true, 'markdown', kinds]);
  });

  // An extension on this computer sees the files of a remote window by such addresses.
  it('goes beside a CSV file on the remote computer, too', async () => {
    const host = hostWithPreview();
    const { write, uriOf } = newFolder();
    await write('shifts.csv', 'id,shift\n7058314,early');
    const file = uriOf('shifts.csv');
    const remote = file.with({ scheme: 'vscode-remote', authority: 'ssh-remote+host' });
    await openPersonalDraft(host, new DraftReader(host), remote);
    const address = file.with({ scheme: 'untitled', path: file.path.replace('.csv', '.md') });
    assert.equal(`${window.activeTextEditor?.document.uri}`, `${address}`);
  });

  it('to the recipients in a CSV file begins with a variable, which typing replaces', async () => {
    const host = hostWithPreview();
    const { write, uriOf } = newFolder();
    const selectedWith = async (name: string, head: string) => {
      await write(name, head, '7058314,person,a,b');
      await openPersonalDraft(host, new DraftReader(host), uriOf(name));
      const { document, selection } = window.activeTextEditor ?? assert.fail('no editor');
      assert.equal(document.offsetAt(selection.active), document.getText().length);
      return document.getText(selection);
    };
    assert.equal(await selectedWith('names.csv', ' ID ,Kind,name,order'), '{{name}}');
    assert.equal(await selectedWith('odd.csv', 'id,kind,a|b,full name'), '{{full name}}');
    assert.equal(await selectedWith('none.csv', 'id,kind,,'), '');
    assert.equal(await selectedWith('other.csv', 'number,kind,a,b'), '');
  });
});
