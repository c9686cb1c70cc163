/** What the product makes of a document: from its text and its files to the calls and the outbox, with a service in memory. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type TextDocument, Uri } from 'vscode';
import { DraftReader } from '../../../src/deliveries/draft/draftReader.ts';
import type { Rule } from '../../../src/deliveries/draft/leaveOut.ts';
import { EditedDocuments } from '../../../src/deliveries/outbox/editedDocuments.ts';
import { OutboxController } from '../../../src/deliveries/outbox/outboxController.ts';
import { resumeDelivery } from '../../../src/deliveries/outbox/runDelivery.ts';
import { DraftSender } from '../../../src/deliveries/send/draftSender.ts';
import { Directory, type Lookups } from '../../../src/directory/directory.ts';
import type { Service } from '../../../src/platform/service.ts';
import { UserFacingError } from '../../../src/presentation/errorText.ts';
import type { BatchResult } from '../../../src/service/client.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import { temporaryPath } from '../../host/temporary.ts';
import { answer, onMessages, onPicker, restore } from '../../unit/answers.ts';
import { newHost } from '../../unit/test-host.ts';
import { configure, connectionTo } from '../../unit/test-service.ts';
import type { Case } from './cases.ts';
import type { Written } from './written.ts';

const BOT = '30481126';

/** A question, by its first line, and the lines on who is left out. */
interface Asked {
  readonly question: string;
  readonly lines: readonly string[];
}

/** What was asked, and whom the calls were to. */
export interface Round {
  readonly asked: readonly Asked[];
  readonly called: readonly string[];
  /** Why nothing was sent, if there was something to say. */
  readonly error: string | undefined;
}

export interface Result {
  readonly first: Round;
  /** What the editor counts. */
  readonly counts: { readonly group: number; readonly user: number; readonly leftOut: number };
  /** What the preview counts. */
  readonly byRule: Readonly<Record<Rule, number>>;
  /** What is stored of those left out, if anything is. */
  readonly stored: { readonly people: readonly string[]; readonly rows: number } | undefined;
  /** What was resent or resumed. */
  readonly second: Round | undefined;
}

/** Runs a case. `neverThen` and `neverLater` are the list as it is written later. */
export async function run(
  { document: text, files, settings }: Written,
  { answers, unreached }: Case,
  [neverThen, neverLater]: readonly [unknown, unknown] | readonly [],
  changesThen: boolean,
): Promise<Result> {
  const folder = temporaryPath('leaving-out');
  for (const { path, bytes } of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
  await configure(settings);
  let called: string[] = [];
  let answering: Case['answers'] = answers;
  const batchSend = async (
    _token: string,
    kind: string,
    ids: readonly string[],
    _message: unknown,
    { before }: { before?(): Promise<void> } = {},
  ): Promise<BatchResult> => {
    await before?.();
    called.push(...ids.map((id) => `${kind} ${id}`));
    if (answering === 'none' || answering === 'noToken')
      throw new ServiceError({ kind: 'rejected', code: answering === 'none' ? 1005 : 1003, text: 'no', status: 200 });
    const reached = ids.filter((id) => answering === 'all' || !unreached.includes(id));
    return {
      reached: reached.map((recvId, at) => ({ recvId, msgId: `${called.length} ${at}` })),
      unreadable: [],
      successCount: reached.length,
    };
  };
  const unknown = () => Promise.reject(new Error('not looked up'));
  const lookUps = { group: unknown, bot: unknown, user: unknown } as unknown as Lookups;
  const service = { address: 'https://service.test', client: { batchSend }, directory: new Directory(lookUps) };
  const connection = connectionTo(async () => service as unknown as Service);
  const host = newHost({ connection, access: { chooseBot: async () => BOT } });
  await host.tokens.set(service, BOT, 'secret-token');
  host.commands.run = async () => {};
  const events = { changed: () => {}, editsChanged: () => {} };
  const outboxFolder = Uri.file(join(folder, 'outbox'));
  const controller = new OutboxController(host, outboxFolder, events, new EditedDocuments(host.workspaceMemento));
  const reader = new DraftReader(host);
  const sender = new DraftSender(host, controller, reader);

  /** Does something that asks, and confirms once. */
  const round = async (act: () => Promise<unknown>, confirmed: () => Promise<unknown>): Promise<Round> => {
    called = [];
    const asked: Asked[] = [];
    const said = onMessages();
    onPicker(async () => undefined);
    answer('showWarningMessage', (async (question: string, options: unknown, ...buttons: string[]) => {
      if (typeof options !== 'object' || options === null || !('detail' in options)) return undefined;
      const lines = `${options.detail}`.split('\n').filter((line) => line.startsWith('⊘'));
      if (asked.push({ question, lines }) > 1) return undefined;
      await confirmed();
      return buttons.find((one) => one === 'Send' || one === 'Resend' || one === 'Resume');
    }) as never);
    try {
      await act();
      return { asked, called, error: asked.length > 0 ? undefined : said.join() };
    } catch (error) {
      if (!(error instanceof UserFacingError)) throw error;
      return { asked, called, error: error.message };
    } finally {
      restore();
    }
  };

  try {
    const uri = Uri.joinPath(Uri.file(folder), 'news.md');
    const document = { uri, isUntitled: false, languageId: 'markdown', getText: () => text } as TextDocument;
    const { parsed, table, rules } = await reader.read(document);
    const counts = reader.countOf(parsed, table, rules);
    const { leftOut } = await rules.divide(reader.chatsOf(parsed, table));
    const byRule = await rules.count(leftOut, table?.unmatched);
    const change = async () => changesThen && (await configure({ ...settings, 'sending.never': neverThen }));
    const first = await round(async () => sender.sendDraft(await reader.draftIn(document)), change);
    const [entry] = await controller.outbox.all();
    const out = entry?.status.delivery.leftOut;
    const stored = entry && {
      people: (out?.people ?? []).map(({ kind, id, by, note }) => `${kind} ${id} ${by} ${note}`.normalize()),
      rows: out?.rows ?? 0,
    };
    let second: Round | undefined;
    if (entry) {
      const { id } = entry.status.delivery;
      await configure({ ...settings, 'sending.never': neverLater });
      answering = 'all';
      // There's nothing to resume if all were in the call that was refused.
      const isUnfinished = entry.status.counts.notSent > 0;
      const again = isUnfinished ? () => resumeDelivery(id, controller, host) : () => sender.resend(id);
      second = await round(again, async () => {});
    }
    return { first, counts, byRule, stored, second };
  } finally {
    await controller.close();
    await configure({ 'sending.never': undefined, 'sending.batchSize': undefined, audiences: undefined });
  }
}
