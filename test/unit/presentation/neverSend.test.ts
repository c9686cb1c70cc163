import assert from 'node:assert/strict';
import { NeverList, parseNever } from '../../../src/platform/neverList.ts';
import { neverNotes, neverSend, onListText } from '../../../src/presentation/neverSend.ts';
import type { Chat } from '../../../src/service/model.ts';
import { restore, type } from '../answers.ts';
import { configure, written } from '../test-service.ts';

const ANN: Chat = { kind: 'user', id: '7' };
const BEN: Chat = { kind: 'user', id: '8' };

describe('The Do Not Send list in words', () => {
  const list = (setting: unknown) => ({ read: () => parseNever(setting) });

  it('stops who wants to send while it can’t be read, with what to correct', () => {
    assert.deepEqual([...neverNotes(list({ people: ['7'] }))], [['user 7', '']]);
    assert.throws(
      () => neverNotes(list({ people: ['a b', 7.5, 'BOT_TOKEN=0a1b2c3d4e5f'] })),
      /^UserFacingError: Your Do Not Send list has entries that can't be read, so nothing is sent: "a b", 7\.5, a token\. Correct them in the setting botChats\.sending\.never\.$/,
    );
  });

  it('says who is on it, with the note', () => {
    assert.equal(onListText(''), 'On your Do Not Send list');
    assert.equal(onListText('asked to stop'), 'On your Do Not Send list: asked to stop');
  });
});

describe('Putting somebody on the Do Not Send list', () => {
  const people = () => (written('sending.never').user as { people?: unknown } | undefined)?.people;
  beforeEach(() => configure({ 'sending.never': { people: [{ id: '7', note: 'moved' }] } }));
  afterEach(async () => {
    restore();
    await configure({ 'sending.never': undefined });
  });

  it('asks for a note, which changes that of somebody who is on it', async () => {
    const boxes = type(' asked to stop ', '');
    await neverSend(new NeverList(), [BEN], 'Ben');
    await neverSend(new NeverList(), [ANN], 'Ann');
    assert.deepEqual(
      boxes.map((box) => [box?.title, box?.value]),
      [
        ['Never Send to Ben', ''],
        ['Never Send to Ann', 'moved'],
      ],
    );
    assert.match(boxes[0]?.prompt ?? '', /^Adds to your Do Not Send list\./);
    assert.match(boxes[1]?.prompt ?? '', /^On your Do Not Send list\./);
    assert.deepEqual(people(), ['7', { id: '8', note: 'asked to stop' }]);
  });

  it('keeps the notes of several if none is typed', async () => {
    const boxes = type('', 'both');
    await neverSend(new NeverList(), [ANN, BEN], 'Ann');
    assert.equal(boxes[0]?.title, 'Never Send to 2 Chats');
    assert.deepEqual(people(), [{ id: '7', note: 'moved' }, '8']);
    await neverSend(new NeverList(), [ANN, BEN], 'Ann');
    assert.deepEqual(people(), [
      { id: '7', note: 'both' },
      { id: '8', note: 'both' },
    ]);
  });

  it('changes nothing if the user cancels, or if the setting holds something else', async () => {
    const boxes = type(undefined);
    await neverSend(new NeverList(), [BEN], 'Ben');
    assert.deepEqual(people(), [{ id: '7', note: 'moved' }]);
    await configure({ 'sending.never': { people: '7' } });
    await assert.rejects(
      neverSend(new NeverList(), [BEN], 'Ben'),
      /^UserFacingError: Your Do Not Send list has entries/,
    );
    assert.equal(boxes.length, 1);
  });
});
