import { file, image, markdown, type Scene, text } from './scene.ts';

/** Board games after work: without a bot. */
export const games: readonly Scene[] = [
  [
    text(0, 'Tuesday as usual? I bring the one with the canals.'),
    text(1, 'Only if somebody else reads the rules this time.', { to: 0 }),
    text(2, 'I will. Last time took us until {time} just to set it up.'),
    text(0, 'Worth every minute.', { to: 2 }),
  ],
  [
    markdown(2, [
      '**Final scores**',
      '',
      '| Player | Points |',
      '| --- | ---: |',
      '| {a} | {n} |',
      '| {b} | {m} |',
      '| {c} | 1 |',
      '',
      'One point is still a point.',
    ]),
    text(1, 'You sank your own barge twice.', { to: 0 }),
    text(2, 'Strategy.', { to: 1 }),
  ],
  [
    text(1, 'The Copper Lantern is closed next week. Other ideas?'),
    text(0, 'My kitchen fits six if nobody minds the cat.'),
    image(0, '{key}-cat-on-board.jpg', 'name'),
    text(1, 'The cat has clearly won already.', { to: 2 }),
    file(2, 'rules-summary-{m}.pdf'),
  ],
];
