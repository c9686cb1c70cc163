import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import * as v from 'valibot';
import { addPage, newProgress, serializePart } from '../../../../src/chats/history/commands/exportProgress.ts';
import { exportFormat, type FormatName } from '../../../../src/chats/history/commands/formats.ts';
import { toDraft } from '../../../../src/markup/messageDraft.ts';
import { toMarkdown } from '../../../../src/markup/messageFormats.ts';
import { Listed } from '../../../../src/service/message.ts';
import { botChat, document, MemoryStore } from './export-chat.ts';

const entry = (text: string, contentType = 'markdown') =>
  v.parse(Listed, { msgId: 'm', contentType, content: { text }, sendTime: 0 });

/** The exported document of three messages, the middle one long. */
async function exported(text: string, name: FormatName): Promise<string> {
  const entries = [entry('*before*'), entry(text), entry('*after*')];
  const store = new MemoryStore();
  await store.writePart(1, await serializePart(entries));
  const progress = {
    ...newProgress(botChat, 0),
    parts: 1,
    ...addPage(newProgress(botChat), entries, {}),
    complete: true,
  };
  return document(progress, store, exportFormat(name, { chat: 'A chat', bot: '' }, progress));
}

describe('A message that is too long to format', () => {
  const long = 'a\n``` ~~~ <b>\u200b[x](command:y) 𝄞'.repeat(20_000);
  const json = JSON.stringify({ msgId: 'm', contentType: 'markdown', content: { text: long }, sendTime: 0 });
  const visible = json.replaceAll('\u200b', '⟨U+200B⟩');

  it('is exported to Markdown as raw JSON in one code block', async () => {
    const text = await exported(long, 'md');
    const codes = new MarkdownIt({ html: true }).parse(text, {}).filter(({ type }) => type === 'fence');
    assert.deepEqual(
      codes.map(({ content }) => content),
      [`${visible}\n`],
    );
    assert.match(text, /\*before\*[\s\S]*\*after\*/);
  });

  it('has its emoji whole in the exported JSON', async () => {
    // Wherever the pieces end in which it is written.
    for (const before of ['', '.', '..', '...']) {
      const families = before + '👩\u200D👩\u200D👧'.repeat(30_000);
      for (const name of ['md', 'html'] as const) assert.doesNotMatch(await exported(families, name), /⟨U\+200D⟩/);
    }
  });

  it('is exported to HTML as raw JSON', async () => {
    const text = await exported(long, 'html');
    const [, code = ''] = /<pre dir="auto">([\s\S]*?)<\/pre>/.exec(text) ?? [];
    const entities = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };
    assert.equal(
      code.replace(/&\w+;|&#39;/g, (one) => entities[one as keyof typeof entities]),
      visible,
    );
    assert.match(text, /<em>before<\/em>[\s\S]*<em>after<\/em>/);
  });

  it('is exported to NDJSON like any other', async () => {
    assert.equal((await exported(long, 'ndjson')).split('\n')[1], json);
  });

  it('is copied and drafted as a code block if it has more than 100,000 characters', () => {
    for (const type of ['text', 'markdown']) {
      const text = `${'*a*\n'.repeat(25_000)}`;
      assert.doesNotMatch(toMarkdown(entry(text, type)), /```/);
      const [code, ...others] = new MarkdownIt().parse(toDraft(entry(`${text}b`, type)), {});
      assert.equal(code?.type, 'fence');
      assert.equal(code?.content, `${text}b\n`);
      assert.deepEqual(others, []);
    }
  });

  it('is rendered in HTML unless it has more markup than a person would write', async () => {
    const written = 'A line of *Markdown* that says something, as people write it.\n\n'.repeat(1_400);
    assert.ok(written.length > 80_000);
    assert.match(await exported(written, 'html'), /A line of <em>Markdown<\/em>/);
    assert.match(await exported('*a* '.repeat(3_500), 'html'), /<pre>\*a\* /);
  });
});
