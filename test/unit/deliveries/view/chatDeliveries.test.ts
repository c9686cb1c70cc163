import assert from 'node:assert/strict';
import type { QuickPickItem, QuickPickOptions, window } from 'vscode';
import { chooseDeliveryTo } from '../../../../src/deliveries/view/chatDeliveries.ts';
import { answer, onLists, onMessages, restore } from '../../answers.ts';
import { useWallClock } from '../../clocks.ts';
import { useService } from '../../test-service.ts';
import { withoutDelays } from '../../withoutDelays.ts';
import { AT, planBatches } from '../outbox/testDeliveries.ts';
import { openOutbox, RECIPIENTS, text } from '../outbox/testOutbox.ts';

const SHOP = { kind: 'group', id: '518204736' } as const;

const NORA = { kind: 'user', id: '7850437' } as const;

describe('The deliveries to a chat', () => {
  const service = useService({ groups: [SHOP.id] });
  const clock = useWallClock(AT);
  let open: Awaited<ReturnType<typeof openOutbox>>;
  withoutDelays();
  let options: QuickPickOptions;
  let items: QuickPickItem[];
  let said: string[];

  beforeEach(async () => {
    open = await openOutbox(service, clock);
    [items, said] = [[], onMessages()];
    answer('showQuickPick', (async (shown: QuickPickItem[], shownOptions: QuickPickOptions) => {
      [items, options] = [shown, shownOptions];
      return shown.at(-1);
    }) as unknown as typeof window.showQuickPick);
  });
  afterEach(() => {
    restore();
    open.close();
  });

  const choose = (chat?: Parameters<typeof chooseDeliveryTo>[0]) =>
    chooseDeliveryTo(chat, open.host, open.controller.outbox);
  const shown = () =>
    items.map(({ label, description, detail }) => [label, description?.replace(/\d+:\d\d.[AP]M/, 'T'), detail]);

  it('are listed with the result for that chat, the newest first, and make no request', async () => {
    const first = await open.deliver(text('Opening hours'));
    await open.deliver({ ...text('Not to her'), batches: planBatches(RECIPIENTS.slice(0, 1), 1) });
    await open.deliver({ ...text('$(x) Elsewhere'), service: 'https://chat.example/api' });
    await open.deliver({ ...text('$(x) Autumn sale'), isTest: true });
    service.requests.splice(0);
    const unconfirmed =
      "Not confirmed · The service didn't confirm delivery to this recipient, who may have the message.";
    assert.deepEqual(await choose(NORA), { id: first.delivery.id, chatId: NORA.id });
    assert.deepEqual(shown(), [
      ['\\$(x) Autumn sale', 'T · Order Desk · announcement.md · test', unconfirmed],
      ['Opening hours', 'T · Order Desk · announcement.md', unconfirmed],
    ]);
    assert.equal(options.title, 'Deliveries to [Nora]\u200b(command:x)');
    assert.deepEqual(service.requests, []);
    await choose(SHOP);
    assert.deepEqual(
      items.map(({ label }) => label),
      ['\\$(x) Autumn sale', 'Not to her', 'Opening hours'],
    );
    assert.match(items[0]?.detail ?? '', /^Reached · Message \w+$/);
  });

  it('are those of the service that the chat names, if that is not the connected one', async () => {
    await open.deliver({ ...text('Here') });
    const elsewhere = await open.deliver({ ...text('Elsewhere'), service: 'https://chat.example/api' });
    const chat = { ...NORA, service: 'https://chat.example/api', botId: '1' };
    assert.deepEqual(await choose(chat), { id: elsewhere.delivery.id, chatId: NORA.id });
    assert.equal(items.length, 1);
  });

  it('say of one that is scheduled why it leaves that chat out', async () => {
    const { delivery } = await open.deliver();
    const leftOut = { people: [{ ...NORA, name: 'Nora', by: 'except' as const, note: '' }], rows: 0 };
    const batches = planBatches(RECIPIENTS.slice(0, 1), 1);
    await open.outbox.schedule({ ...delivery, id: open.newId(), batches, leftOut, due: AT + 60_000 });
    await choose(NORA);
    assert.equal(items[0]?.detail, 'Left out · Under except: in the document');
    await choose(SHOP);
    assert.match(items[0]?.detail ?? '', /^scheduled for /);
  });

  it('are said to be none', async () => {
    await open.deliver({ batches: planBatches(RECIPIENTS.slice(0, 1), 1) });
    assert.equal(await choose(NORA), undefined);
    assert.deepEqual([items, said], [[], ['The outbox has no deliveries to 7850437.']]);
  });

  it('are of a chat that is picked, if none is clicked', async () => {
    const { delivery } = await open.deliver();
    const lists = onLists(({ description }) => description === SHOP.id);
    assert.deepEqual(await choose(), { id: delivery.id, chatId: SHOP.id });
    assert.equal(lists[0]?.title, 'Show Deliveries');
    onLists('escape');
    assert.equal(await choose(), undefined);
    assert.equal(await choose({ kind: 'bot', id: '30481126' }), undefined);
  });
});
