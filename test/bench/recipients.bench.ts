import { createHash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseDraft } from '../../src/deliveries/draft/document/parseDraft.ts';
import type { DraftFile } from '../../src/deliveries/draft/recipients/recipientFiles.ts';
import { recipientProblems } from '../../src/deliveries/draft/recipients/recipientProblems.ts';
import { parseRecipientTable } from '../../src/deliveries/draft/recipients/recipientTable.ts';
import { DeliveryMessages, withDigests } from '../../src/deliveries/outbox/deliveryMessages.ts';
import { DeliveryStore } from '../../src/deliveries/outbox/deliveryStore.ts';
import { newDeliveryId, serializeDelivery } from '../../src/deliveries/outbox/record.ts';
import { type Batch, planDelivery, valuesFrom } from '../../src/deliveries/plan/deliveryPlan.ts';
import { decodeText } from '../../src/markup/decodeText.ts';
import { MessageTemplate } from '../../src/markup/messageTemplate.ts';
import { diskFiles } from '../../src/platform/diskFiles.ts';
import { temporaryFolder } from '../host/temporary.ts';
import { longestBlock, MAX_BLOCK } from '../prove/blocks.ts';
import { deliveryOf } from '../unit/deliveries/outbox/testDeliveries.ts';
import { median, type Row, time } from './bench.ts';

const RECIPIENTS = 100_000;
const ROUNDS = 5;

const rows = Array.from({ length: RECIPIENTS }, (_, at) => {
  const note = at % 3 === 0 ? `"Leave it with a neighbor, ""${at}"", or call"` : `${at} boxes`;
  return `${7_000_000 + at},Customer number ${at},${at % 2 === 0 ? '北京' : '"Riverside, North"'},ORD-${at * 7},${note}`;
});
const FILE = new TextEncoder().encode(['id,name,city,order,note', ...rows].join('\r\n'));
const DRAFT = `---
chat:
  recipients: customers.csv
  kind: person
---

Dear {{name|customer}}, your order **{{order}}** is on its way to {{city}}: https://orders.example/{{id}}

> {{note}}
`;

/** Measures a file of 100,000 recipients, from its bytes to the record of a delivery with a message for each of them. */
export async function bench(): Promise<Row[]> {
  const draft = parseDraft(DRAFT, { keepFrontMatter: false, audiences: () => [] });
  const { message } = draft;
  if (!message || draft.problems.length > 0) throw new Error(`The draft is wrong: ${JSON.stringify(draft.problems)}`);
  const { variables } = new MessageTemplate(message);
  const folder = await temporaryFolder('bench');
  const read = async () => {
    const { pieces = [] } = (await decodeText(FILE)) ?? {};
    const table = await parseRecipientTable(pieces, 'user');
    const file = { named: draft.recipientFile, file: { table, isOtherEncoding: false } } as unknown as DraftFile;
    const problems = await recipientProblems(DRAFT, draft, [file]);
    if (table.rows.size !== RECIPIENTS || problems.some(({ severity }) => severity !== 'hint'))
      throw new Error(`The file is wrong: ${JSON.stringify(problems)}`);
    return table;
  };
  const table = await read();
  const recipients = Array.from(table.rows.values(), ({ chat }) => ({ ...chat, name: chat.id }));
  const nobody = { peek: () => undefined } as unknown as Parameters<typeof valuesFrom>[1];
  const plan = () => planDelivery({ message, variables }, recipients, 200, valuesFrom({ table }, nobody));
  const { batches } = await plan();
  const store = new DeliveryStore(diskFiles(folder));
  const record = async () => recorded(await withDigests({ message, variables: [...variables], batches }));
  const recorded = (batches: Batch[]) => ({
    ...deliveryOf(batches, { message, variables: [...variables] }),
    id: newDeliveryId(Date.now()),
  });
  let id = '';
  const write = async () => {
    const delivery = await record();
    id = delivery.id;
    await store.create(delivery);
  };
  const text = await serializeDelivery(await record());
  const last = recipients.at(-1) ?? { kind: 'user', id: '' };
  const preview = async () => {
    const { content } = new MessageTemplate(message).render(valuesFrom({ table }, nobody)(last));
    if (!('text' in content) || !content.text.includes('99999')) throw new Error('The preview is wrong.');
  };
  const load = async () => new DeliveryStore(diskFiles(folder)).load(id);

  const times = { read: [], split: [], plan: [], write: [], hash: [], load: [], preview: [] } as Record<
    string,
    number[]
  >;
  const acts = { read, split, plan, write, hash: () => hash(text, folder), load, preview };
  for (let round = 0; round < ROUNDS; round++)
    for (const [what, act] of Object.entries(acts)) times[what]?.push(await time(act));
  const timeOf = (what: keyof typeof acts) => median(times[what] ?? []);
  const blockOf = async (what: string, act: () => Promise<unknown>): Promise<Row> => ({
    what: `longest block while ${what}`,
    measured: await longestBlock(act),
    unit: 'ms',
    bar: MAX_BLOCK,
  });
  const size = (await stat(join(folder, 'deliveries', id, 'delivery.ndjson'))).size;
  const stored = await load();
  const sent = stored && new DeliveryMessages(stored.status.delivery);
  return [
    { what: 'reading and checking a file of 100,000 rows', measured: timeOf('read'), unit: 'ms', bar: 1_000 },
    { what: 'compared with splitting its lines and cells', measured: timeOf('read') / timeOf('split'), unit: '×' },
    await blockOf('reading it', read),
    { what: 'planning 100,000 messages of five variables', measured: timeOf('plan'), unit: 'ms', bar: 2_000 },
    await blockOf('planning', plan),
    { what: 'writing them down, with digests', measured: timeOf('write'), unit: 'ms', bar: 5_000 },
    {
      what: 'compared with hashing and writing the same text',
      measured: timeOf('write') / timeOf('hash'),
      unit: '×',
    },
    await blockOf('writing them down', write),
    { what: 'size of the record', measured: size / 1_000, unit: 'kB', bar: 60_000 },
    { what: 'reading the record', measured: timeOf('load'), unit: 'ms' },
    await blockOf('reading the record', load),
    {
      what: 'the message of the last recipient, from the record',
      measured: await time(async () => sent?.ofChat(last)),
      unit: 'ms',
    },
    { what: 'the preview of one recipient', measured: timeOf('preview'), unit: 'ms', bar: 16 },
  ];
}

/** The least that reading a file takes. */
const split = async () =>
  new TextDecoder()
    .decode(FILE)
    .split('\r\n')
    .map((line) => line.split(','));

/** The least that storing a record durably takes. */
async function hash(text: string, folder: string): Promise<void> {
  createHash('sha256').update(text).digest();
  const file = await open(join(folder, 'control'), 'w');
  await file.writeFile(text);
  await file.sync();
  await file.close();
}
