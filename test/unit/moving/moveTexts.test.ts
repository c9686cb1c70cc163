import assert from 'node:assert/strict';
import { MoveError } from '../../../src/moving/moveFile.ts';
import { contentsText, moveErrorText } from '../../../src/moving/moveTexts.ts';

describe('What is said of a moved file', () => {
  for (const [deliveries, chats, messages, text] of [
    [0, 0, 0, '0 deliveries'],
    [1, 0, 0, '1 delivery'],
    [1200, 0, 0, '1,200 deliveries'],
    [0, 1, 1, '1 message of 1 archived chat'],
    [0, 2, 0, '0 messages of 2 archived chats'],
    [1, 1200, 3400, '1 delivery and 3,400 messages of 1,200 archived chats'],
  ] as const)
    it(`counts what is in it: ${text}`, () => assert.equal(contentsText(deliveries, chats, messages), text));

  for (const [error, text] of [
    [
      new MoveError('foreign'),
      "a.gz can't be imported. Choose a file from “Copy Outbox and Archive…”, or one from “Export History…” in the NDJSON format.",
    ],
    [new MoveError('newer'), 'a.gz is from a newer version of Bot Chats. Update the extension to import it.'],
    [
      new MoveError('damaged'),
      'a.gz is damaged or incomplete. Copy it again, or create a new one on the other computer.',
    ],
    [
      new MoveError('damaged', 1200),
      'a.gz (line 1,200) is damaged or incomplete. Copy it again, or create a new one on the other computer.',
    ],
    [
      new MoveError('largeLine', 3),
      "a.gz (line 3) can't be imported any further: a line has more than 6 MB or 60,000 values, which no exported file has.",
    ],
    [
      new MoveError('largeDelivery', 3),
      "a.gz (line 3) can't be imported any further: a delivery takes more than 200 MB of memory.",
    ],
  ] as const)
    it(`explains what is wrong with it: ${error.message}`, () => assert.equal(moveErrorText(error, 'a.gz'), text));
});
