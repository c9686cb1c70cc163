/**
 * Puts a text as others wrote it into each place where VS Code, a file or an agent would get it, in a copy of the source, and
 * fails unless the compiler or the linter refuses each of them.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** A change of a file that somebody could make without thinking of it, and who refuses it. One for each file. */
type RawText = readonly [refusedBy: 'compiler' | 'linter', where: string, file: string, from: string, to: string];

const RAW_TEXTS: readonly RawText[] = [
  ['compiler', 'the label of a row', 'chats/archiving/archiveItems.ts', 'new Row(name)', 'new Row(chat.name)'],
  ['compiler', 'what is beside it', 'sidebar/nodeItems.ts', 'item.describe(description)', 'item.describe(row.id)'],
  ['compiler', 'its tooltip', 'sidebar/activity/activityTexts.ts', 'row.tooltip = textCard(', 'row.tooltip = String('],
  [
    'compiler',
    'what is beside a view',
    'sidebar/activity/activityView.ts',
    'filterText(this.#filter);',
    'String(this.#filter);',
  ],
  [
    'compiler',
    'the message of a view',
    'sidebar/sidebarView.ts',
    'breakable(messageText(message ??',
    'breakable(String(message ??',
  ],
  [
    'compiler',
    'a badge',
    'deliveries/view/outboxTree.ts',
    'badge: { value, tooltip }',
    'badge: { value, tooltip: String(value) }',
  ],
  ['compiler', 'a decoration', 'sidebar/visibleRows.ts', 'tooltip: newMessagesText(count)', 'tooltip: String(count)'],
  ['compiler', 'a card', 'ids/hover.ts', 'new Card(head)', 'new Card(at.id)'],
  [
    'compiler',
    'a hover',
    'deliveries/draft/editing/variableHelp.ts',
    'new CardHover(textCard(',
    'new CardHover(String(',
  ],
  ['compiler', 'a hint', 'ids/inlayHints.ts', 'excerpt(name, MAX_LENGTH)', 'id'],
  ['compiler', 'a link', 'ids/links.ts', 'linkTitle(found)', 'found.address'],
  ['compiler', 'a lens', 'deliveries/draft/editing/createEditing.ts', "l10n.t('Preview')", 'document.fileName'],
  ['compiler', 'a suggestion', 'deliveries/draft/editing/completion.ts', 'escapeAllInvisible(key)', 'key'],
  ['compiler', 'a diagnostic', 'deliveries/draft/editing/diagnostics.ts', 'unknownRecipientText(chat)', 'chat.id'],
  [
    'compiler',
    'a quick fix',
    'deliveries/draft/document/problem.ts',
    "l10n.t('Rename to {0}', excerpt(name, 60))",
    'name',
  ],
  ['compiler', 'the status bar', 'deliveries/send/scheduleController.ts', 'text: iconText(', 'text: String('],
  [
    'compiler',
    'the title of a panel',
    'chats/archiving/statisticsPanels.ts',
    "l10n.t('Statistics of {0}', nameInTab(name))",
    'ownName',
  ],
  [
    'compiler',
    'a new panel',
    'chats/history/historyPanels.ts',
    'createPanel(this.#view, nameInTab(name))',
    'createPanel(this.#view, name)',
  ],
  [
    'compiler',
    'a notification',
    'audiences/audienceEditor.ts',
    'showInfo(text, button)',
    'showInfo(String(text), button)',
  ],
  ['compiler', 'a question', 'connecting/bots.ts', "l10n.t('Remove the token for bot {0}?', nameOf(bot))", 'bot'],
  ['compiler', 'a prompt', 'sidebar/rowCommands.ts', 'placeHolder: name,', 'placeHolder: row.id,'],
  ['compiler', 'an item of a list', 'presentation/chatItems.ts', 'listItem({', 'Object.assign({}, {'],
  ['compiler', 'an export to Markdown', 'markup/rendered/exportMarkdown.ts', 'line(sender.name)}**', 'sender.name}**'],
  ['compiler', 'an export to HTML', 'markup/rendered/exportHtml.ts', 'text(sender.name)}</b>', 'sender.name}</b>'],
  [
    'compiler',
    'a file of CSV',
    'deliveries/replies/repliesPanel.ts',
    "csvLine(['id', 'kind', 'name'])",
    "['id', 'kind', 'name'].join()",
  ],
  ['compiler', 'a row for an agent', 'agent/listTool.ts', 'toRow(rowOf(service, listing))', 'JSON.stringify(listing)'],
  [
    'linter',
    "a row of VS Code's",
    'sidebar/nodes.ts',
    'import type { Fact }',
    "import { TreeItem } from 'vscode';\nimport type { Fact }",
  ],
  [
    'linter',
    'its translations',
    'sidebar/notes.ts',
    "import { Uri } from 'vscode'",
    "import { Uri, l10n as texts } from 'vscode'",
  ],
  [
    'linter',
    'its views',
    'chats/archiving/index.ts',
    'createView<ArchiveRow, Row>(',
    'window.createTreeView<ArchiveRow>(',
  ],
  ['linter', 'its panels', 'chats/archiving/searchPanel.ts', 'createPanel(', 'window.createWebviewPanel('],
  ['linter', 'its notifications', 'moving/moveController.ts', 'askModal(', 'window.showWarningMessage('],
  [
    'linter',
    'a claim',
    'audiences/audienceManager.ts',
    'name: await this.#editor.rename(name)',
    'name: (await this.#editor.rename(name)) as ShownText',
  ],
];

const copy = resolve('out/rawTexts');
rmSync(copy, { recursive: true, force: true });
mkdirSync(copy, { recursive: true });
for (const name of ['src', 'tsconfig.json', 'biome.json']) cpSync(name, join(copy, name), { recursive: true });
symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));

for (const [, , file, from, to] of RAW_TEXTS) {
  const path = join(copy, 'src', file);
  const code = readFileSync(path, 'utf8');
  assert.ok(code.includes(from), `${file} has no ${from}`);
  writeFileSync(
    path,
    code.replace(from, () => to),
  );
}

const run = (tool: string, ...args: string[]) =>
  spawnSync(resolve('node_modules/.bin', tool), args, { cwd: copy, encoding: 'utf8' }).stdout;
const refusals = {
  compiler: run('tsc', '--noEmit', '--pretty', 'false'),
  linter: run('biome', 'lint', '--vcs-enabled=false', '--reporter=github', '--max-diagnostics=none', 'src'),
};

/** The files of which a tool refuses something: each has one raw text. */
const refusedFiles = {
  compiler: [...refusals.compiler.matchAll(/^src\/(\S+)\(\d+,\d+\): error/gm)].map(([, file]) => file),
  linter: [...refusals.linter.matchAll(/^::error title=plugin,file=[^,]*?\/rawTexts\/src\/([^,]+),/gm)].map(
    ([, file]) => file,
  ),
};
const accepted = RAW_TEXTS.filter(([refusedBy, , file]) => !refusedFiles[refusedBy].includes(file));
for (const [refusedBy, where, file] of accepted)
  console.error(`Raw text in ${where}: not refused by the ${refusedBy} (${file})`);
console.log(`Raw text is refused in ${RAW_TEXTS.length - accepted.length} of ${RAW_TEXTS.length} places.`);
rmSync(copy, { recursive: true, force: true });
if (accepted.length > 0) process.exitCode = 1;
