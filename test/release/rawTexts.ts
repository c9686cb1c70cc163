/**
 * Puts raw text into each place where VS Code, a file or an agent would get it, in a copy of the source, and
 * fails unless the compiler or the linter refuses each of them.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** A change of a file that somebody could make without thinking of it. One for each file. */
type RawText = readonly [where: string, file: string, from: string, to: string];

/** Each with who refuses it. */
const RAW_TEXTS: Record<'compiler' | 'linter', readonly RawText[]> = {
  compiler: [
    ['the label of a row', 'chats/archiving/archiveItems.ts', 'new Row(name)', 'new Row(chat.name)'],
    ['what is beside it', 'sidebar/nodeItems.ts', 'item.describe(description)', 'item.describe(row.id)'],
    ['its tooltip', 'sidebar/activity/activityTexts.ts', 'row.tooltip = textCard(', 'row.tooltip = String('],
    ['what is beside a view', 'sidebar/activity/activityView.ts', 'filterText(this.#filter);', 'String(this.#filter);'],
    [
      'the message of a view',
      'sidebar/sidebarView.ts',
      'breakable(messageText(message ??',
      'breakable(String(message ??',
    ],
    [
      'a badge',
      'deliveries/view/outboxTree.ts',
      'badge: { value, tooltip }',
      'badge: { value, tooltip: String(value) }',
    ],
    ['a decoration', 'sidebar/visibleRows.ts', 'tooltip: newMessagesText(count)', 'tooltip: String(count)'],
    ['a card', 'ids/hover.ts', 'new Card(head)', 'new Card(at.id)'],
    ['a hover', 'deliveries/draft/editing/variableHelp.ts', 'new CardHover(textCard(', 'new CardHover(String('],
    ['a hint', 'ids/inlayHints.ts', 'excerpt(name, MAX_LENGTH)', 'id'],
    ['a link', 'ids/links.ts', 'linkTitle(found)', 'found.address'],
    ['a lens', 'deliveries/draft/editing/createEditing.ts', "l10n.t('Preview')", 'document.fileName'],
    ['a suggestion', 'deliveries/draft/editing/completion.ts', 'escapeAllInvisible(key)', 'key'],
    ['a diagnostic', 'deliveries/draft/editing/diagnostics.ts', 'unknownRecipientText(chat)', 'chat.id'],
    ['a quick fix', 'deliveries/draft/document/problem.ts', "l10n.t('Rename to {0}', excerpt(name, 60))", 'name'],
    ['the status bar', 'deliveries/send/scheduleController.ts', 'text: iconText(', 'text: String('],
    [
      'the title of a panel',
      'chats/archiving/statisticsPanels.ts',
      "l10n.t('Statistics of {0}', nameInTab(name))",
      'ownName',
    ],
    [
      'a new panel',
      'chats/history/historyPanels.ts',
      'createPanel(this.#view, nameInTab(name))',
      'createPanel(this.#view, name)',
    ],
    ['a notification', 'audiences/audienceEditor.ts', 'showInfo(text, button)', 'showInfo(String(text), button)'],
    ['a question', 'connecting/bots.ts', "l10n.t('Remove the token for bot {0}?', nameOf(bot))", 'bot'],
    ['a prompt', 'sidebar/rowCommands.ts', 'placeHolder: name,', 'placeHolder: row.id,'],
    ['an item of a list', 'presentation/chatItems.ts', 'listItem({', 'Object.assign({}, {'],
    ['an export to Markdown', 'markup/rendered/exportMarkdown.ts', 'line(sender.name)}**', 'sender.name}**'],
    ['an export to HTML', 'markup/rendered/exportHtml.ts', 'text(sender.name)}</b>', 'sender.name}</b>'],
    [
      'a file of CSV',
      'deliveries/replies/repliesPanel.ts',
      "csvLine(['id', 'kind', 'name'])",
      "['id', 'kind', 'name'].join()",
    ],
    ['a row for an agent', 'agent/listTool.ts', 'toRow(rowOf(service, listing))', 'JSON.stringify(listing)'],
  ],
  linter: [
    [
      "a row of VS Code's",
      'sidebar/nodes.ts',
      'import type { Fact }',
      "import { TreeItem } from 'vscode';\nimport type { Fact }",
    ],
    [
      'its translations',
      'sidebar/notes.ts',
      "import { Uri } from 'vscode'",
      "import { Uri, l10n as texts } from 'vscode'",
    ],
    ['its views', 'chats/archiving/index.ts', 'createView<ArchiveRow>(', 'window.createTreeView<ArchiveRow>('],
    [
      'its pickers',
      'deliveries/plan/recipientPicker.ts',
      "import { ThemeIcon } from 'vscode'",
      "import { type QuickPick, ThemeIcon } from 'vscode'",
    ],
    ['its panels', 'chats/archiving/searchPanel.ts', 'createPanel(', 'window.createWebviewPanel('],
    ['its notifications', 'moving/moveController.ts', 'askModal(', 'window.showWarningMessage('],
    [
      'a claim',
      'audiences/audienceManager.ts',
      'name: await this.#editor.rename(name)',
      'name: (await this.#editor.rename(name)) as ShownText',
    ],
  ],
};

const copy = resolve('out/rawTexts');
rmSync(copy, { recursive: true, force: true });
mkdirSync(copy, { recursive: true });
for (const name of ['src', 'tsconfig.json', 'biome.json']) cpSync(name, join(copy, name), { recursive: true });
symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));

for (const [, file, from, to] of Object.values(RAW_TEXTS).flat()) {
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

for (const who of ['compiler', 'linter'] as const) {
  const accepted = RAW_TEXTS[who].filter(([, file]) => !refusedFiles[who].includes(file));
  for (const [where, file] of accepted) console.error(`Raw text in ${where}: not refused by the ${who} (${file})`);
  console.log(
    `The ${who} refuses raw text in ${RAW_TEXTS[who].length - accepted.length} of ${RAW_TEXTS[who].length} places.`,
  );
  if (accepted.length > 0) process.exitCode = 1;
}
rmSync(copy, { recursive: true, force: true });
