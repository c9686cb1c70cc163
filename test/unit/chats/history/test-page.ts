import { inspect } from 'node:util';
import type { LogOutputChannel } from 'vscode';
import { type EdgeView, type PageItem, ToPage } from '../../../../src/protocol/history.ts';
import type { Sandbox } from '../../../../src/sandbox/index.ts';
import { type Deferred, deferred } from '../../deferred.ts';
import { PanelPage } from '../../panelPage.ts';
import type { TestService } from '../../test-service.ts';

/** The page of a history, which applies messages as the real one does. */
export class TestPage extends PanelPage<ToPage> {
  constructor(title = '') {
    super(ToPage, title);
  }

  get items(): PageItem[] {
    return this.received.reduce<PageItem[]>(
      (items, one) => (one.type === 'splice' ? items.toSpliced(one.at, one.removed, ...one.items) : items),
      [],
    );
  }

  get older(): EdgeView | undefined {
    return this.last('edges')?.older;
  }

  get newer(): EdgeView | undefined {
    return this.last('edges')?.newer;
  }

  /** The keys of the items, oldest first; `…` for a gap. */
  get keys(): string[] {
    return this.items.map((item) => (item.type === 'gap' ? '…' : item.key));
  }
}

/** A log and its lines, with all details of errors. */
export function logged(): { log: LogOutputChannel; lines: string[] } {
  const lines: string[] = [];
  const write = (...said: unknown[]) => void lines.push(said.map((one) => inspect(one, { depth: 10 })).join(' '));
  const log = { trace: write, debug: write, info: write, warn: write, error: write };
  return { log: log as unknown as LogOutputChannel, lines };
}

/** A group's whole chat as the sandbox lists it (contract 4.4, rule 1), oldest first, without the client. */
export async function wholeChat(sandbox: Sandbox, chatId: string) {
  const query = new URLSearchParams({
    token: sandbox.token('30481126') ?? '',
    'chat-id': chatId,
    'chat-type': 'group',
  });
  const address = `${sandbox.openApiUrl}/open-apis/v1/bot/messages?${query}&before=10000`;
  const { data } = await (await sandbox.fetch(new Request(address))).json();
  return (
    data.list as { msgId: string; senderId: string; sendTime: number; content: { text?: string } }[]
  ).toReversed();
}

/** Sends a text to a group as a bot; resolves to the ID of the message. */
export async function sendTo(sandbox: Sandbox, chatId: string, text: string, botId = '30527740'): Promise<string> {
  const response = await sandbox.fetch(
    new Request(`${sandbox.openApiUrl}/open-apis/v1/bot/batch_send?token=${sandbox.token(botId)}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ recvIds: [chatId], recvType: 'group', contentType: 'text', content: { text } }),
    }),
  );
  const { data } = await response.json();
  return data.successList[0].msgId;
}

/** Holds message list requests: `begun` resolves with the first one, and `answer` releases all. */
export function holdLists(service: TestService): { begun: Promise<Request>; answer: Deferred<Response | undefined> } {
  const begun = deferred<Request>();
  const answer = deferred<Response | undefined>();
  service.instead = (request) => {
    if (!new URL(request.url).pathname.endsWith('/messages')) return undefined;
    begun.resolve(request);
    return answer.promise;
  };
  return { begun: begun.promise, answer };
}
