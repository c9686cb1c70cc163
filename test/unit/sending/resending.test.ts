import assert from 'node:assert/strict';
import type { window } from 'vscode';
import { DeliveryStore } from '../../../src/outbox/deliveryStore.ts';
import { Outbox } from '../../../src/outbox/outbox.ts';
import { diskFiles } from '../../../src/platform/diskFiles.ts';
import { DraftSender } from '../../../src/sending/draftSender.ts';
import { answer, restore } from '../answers.ts';
import { newHost } from '../test-host.ts';
import { keeping, newConnection, useService } from '../test-service.ts';

const BOT = '30481126';

it('A resend warns about recipients who may already have the message, until they are reached', async () => {
  const service = await useService({ 'service.callsPerSecond': 1000 });
  const kept = keeping();
  const connection = newConnection(kept);
  try {
    service.sandbox.setFaults({
      faults: [
        { on: 'batch_send', fault: 'reset', work: 'done', times: 1 },
        { on: 'batch_send', fault: 'code', code: 1002, msg: '[x](command:y)', times: 1 },
      ],
    });
    const host = newHost({ connection, access: { chooseBot: async () => BOT } });
    await host.tokens.set(await connection.open(), BOT, service.sandbox.token(BOT) ?? '');
    const outbox = new Outbox(new DeliveryStore(diskFiles(kept.folder.fsPath)));
    const sender = new DraftSender(host, {
      outbox,
      entryFor: async (_, id) => (await outbox.get(id)) ?? assert.fail(),
    });
    const [confirmations, told]: string[][] = [[], []];
    answer('showWarningMessage', (async (message: string, { modal, detail }: { modal?: boolean; detail?: string }) => {
      (modal ? confirmations : told)?.push(modal ? (detail ?? '') : message);
      return modal ? 'Send' : undefined;
    }) as unknown as typeof window.showWarningMessage);
    const message = { contentType: 'markdown' as const, content: { text: 'Once' } };
    await sender.sendDraft({ name: 'once.md', message, chats: [{ type: 'group', id: '518204736' }] });
    const newest = async () => (await outbox.all()).at(0)?.status.delivery.id ?? assert.fail();
    for (let times = 0; times < 2; times++) await sender.resend(await newest());
    const mayHave = ['⚠ 1 recipient may already have this message.'];
    assert.deepEqual(
      confirmations?.map((detail) => detail.match(/^⚠ .*/gm) ?? []),
      [[], mayHave, mayHave],
    );
    assert.ok(told?.some((one) => one.includes('[x]')) && !told.some((one) => one.includes('](command:')), `${told}`);
  } finally {
    restore();
    connection.dispose();
    await service.close();
  }
});
