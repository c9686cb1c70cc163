import assert from 'node:assert/strict';
import * as v from 'valibot';
import { EventEmitter, type Uri } from 'vscode';
import { type Matches, type ShownDraft, ToPreview } from '../../../../../src/protocol/preview.ts';

/** A fake panel that records messages to its page, and sends messages from it. */
export class TestPanel {
  readonly drafts: ShownDraft[] = [];
  readonly matches: Matches[] = [];
  title: string;
  reveals = 0;
  isOpen = true;
  visible = true;
  readonly #received = new EventEmitter<unknown>();
  readonly #disposed = new EventEmitter<void>();
  readonly #viewStateChanged = new EventEmitter<unknown>();
  #waiters: (() => void)[] = [];

  constructor(title: string) {
    this.title = title;
  }

  get webview() {
    return {
      options: {},
      html: '',
      asWebviewUri: (uri: Uri) => uri,
      onDidReceiveMessage: this.#received.event,
      postMessage: async (message: unknown) => {
        assert.ok(this.isOpen);
        const parsed = v.parse(ToPreview, JSON.parse(JSON.stringify(message)));
        if (parsed.type === 'matches') this.matches.push(parsed);
        else this.drafts.push(parsed);
        for (const resolve of this.#waiters.splice(0)) resolve();
      },
    };
  }
  get onDidDispose() {
    return this.#disposed.event;
  }
  get onDidChangeViewState() {
    return this.#viewStateChanged.event;
  }
  reveal() {
    this.reveals++;
  }
  dispose() {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.#disposed.fire();
    for (const resolve of this.#waiters.splice(0)) resolve();
  }
  receive(message: object) {
    this.#received.fire(message);
  }
  setVisible(visible: boolean) {
    this.visible = visible;
    this.#viewStateChanged.fire({});
  }
  /** Resolves to the page's content once it matches. */
  async waitForDraft(holds: (draft: ShownDraft) => boolean): Promise<ShownDraft> {
    for (;;) {
      const last = this.drafts.at(-1);
      if (last && holds(last)) return last;
      await this.waitForChange();
    }
  }
  /** Resolves when the page has got something, or is closed. */
  async waitForChange() {
    await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }
  async waitForClose() {
    while (this.isOpen) await this.waitForChange();
  }
}
