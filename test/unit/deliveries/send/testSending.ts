/** Sending to a sandbox, by a user who presses buttons. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { type QuickPickItem, type QuickPickOptions, type TextDocument, Uri, type window } from 'vscode';
import { type Draft, DraftReader } from '../../../../src/deliveries/draft/draftReader.ts';
import { DraftSender } from '../../../../src/deliveries/send/draftSender.ts';
import type { Outgoing } from '../../../../src/service/message.ts';
import { answer, type Modal, onMessages, onModals, restore } from '../../answers.ts';
import { useWallClock } from '../../clocks.ts';
import { type TestService, useService } from '../../test-service.ts';
import { closeDocuments } from '../../vscode-editors.ts';
import { AT } from '../outbox/testDeliveries.ts';
import { openOutbox } from '../outbox/testOutbox.ts';

/** The body of a call that sends. */
export interface Call {
  readonly recvIds: string[];
  readonly content: { readonly text?: string; readonly buttons?: Outgoing['content']['buttons'] };
}

export class Sending {
  readonly service: TestService;
  /** What the clock shows, by default {@link AT}. */
  readonly clock: { now: number };
  /** The outbox, which is empty before each test. */
  open!: Awaited<ReturnType<typeof openOutbox>>;
  sender!: DraftSender;
  /** The calls that went out. */
  calls: Call[] = [];
  /** Answers a call instead of the service, if it returns a response. */
  answerCall: () => Promise<Response | undefined> = async () => undefined;
  /** The texts of all messages that weren't modal since buttons were pressed. */
  said: string[] = [];

  constructor(service: TestService, clock: { now: number }) {
    this.service = service;
    this.clock = clock;
  }

  async begin(): Promise<void> {
    this.open = await openOutbox(this.service, this.clock);
    await mkdir(this.open.folder, { recursive: true });
    this.sender = new DraftSender(this.open.host, this.open.controller, new DraftReader(this.open.host));
    this.calls = [];
    this.answerCall = async () => undefined;
    this.service.instead = async (request) => {
      if (!request.url.includes('/batch_send')) return undefined;
      // A call takes time: what is sent next has a later time.
      this.clock.now++;
      this.calls.push((await request.clone().json()) as Call);
      return this.answerCall();
    };
    this.press();
  }

  async end(): Promise<void> {
    test.mock.restoreAll();
    restore();
    closeDocuments();
    this.service.instead = () => undefined;
    await this.open.close();
  }

  /** Presses these buttons in modal dialogs, in order, then Escape. A function does something before. Returns the dialogs. */
  press(...buttons: (string | (() => Promise<string>))[]): Modal[] {
    this.said = onMessages();
    return onModals((_, at) => {
      const button = buttons[at];
      return typeof button === 'function' ? button() : button;
    });
  }

  /** The IDs of all to whom something was sent, in order. */
  get sentTo(): string[] {
    return this.calls.flatMap(({ recvIds }) => recvIds);
  }

  /** The last delivery that the outbox has. */
  async last() {
    const [entry] = await this.open.outbox.all();
    return entry ?? assert.fail('The outbox is empty.');
  }

  /** The delivery that is to be sent next. */
  async scheduled() {
    const [entry] = await this.open.outbox.scheduled();
    return entry ?? assert.fail('Nothing is scheduled.');
  }

  /** Writes a file beside the document of {@link draftIn}. */
  write(name: string, ...lines: string[]): Promise<void> {
    return writeFile(join(this.open.folder, name), lines.join('\n'));
  }

  /** The draft in a Markdown document with this text. */
  draftIn(text: string): Promise<Draft> {
    const uri = Uri.file(join(this.open.folder, 'news.md'));
    const document = { uri, isUntitled: false, languageId: 'markdown', getText: () => text };
    return new DraftReader(this.open.host).draftIn(document as TextDocument);
  }

  /** The draft of a message whose block has these lines. */
  draftWith(...block: string[]): Promise<Draft> {
    return this.draftIn(['---', 'chat:', ...block.map((line) => `  ${line}`), '---', '', 'Hello'].join('\n'));
  }
}

/** Opens an empty outbox before each test of a suite, which sends to a sandbox. */
export function useSending(settings: Record<string, unknown> = {}): Sending {
  const sending = new Sending(useService({ 'service.callsPerSecond': 1000, ...settings }), useWallClock(AT));
  beforeEach(() => sending.begin());
  afterEach(() => sending.end());
  return sending;
}

/** Answers lists of single items: what `chooses` says of the items, the first list being 0. */
export function onChoice(
  chooses: (items: readonly QuickPickItem[], at: number, options: QuickPickOptions) => QuickPickItem | undefined,
): void {
  let at = 0;
  answer('showQuickPick', (async (items: QuickPickItem[], options: QuickPickOptions) =>
    chooses(items, at++, options)) as unknown as typeof window.showQuickPick);
}
