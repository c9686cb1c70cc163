import { copy, file, html, markdown, open, report, type Scene, text } from './scene.ts';

/** A small product team with its release bot, in English. */
export const release: readonly Scene[] = [
  [
    text(0, '/status', { command: ['/status', 32] }),
    markdown(
      'bot',
      [
        '**{version}** is ready',
        '',
        '- [x] tests',
        '- [x] notes',
        '- [ ] approval by two people',
        '',
        '`build {n}{m}`',
      ],
      {
        to: 0,
        buttons: [
          [report('Approve', 'approve:{version}'), open('Notes', 'releases/{version}')],
          [copy('Copy the version', '{version}')],
        ],
      },
    ),
    text(1, 'Approved.', { to: 1 }),
    text(2, 'Approved as well. Rolling it out to a tenth first.', { to: 1 }),
  ],
  [
    text(1, 'Sign-in is slow since {time}: {n} requests are waiting.'),
    markdown(2, [
      '```text',
      '{time} pool exhausted (20 of 20)',
      '{time} waiting: {n}',
      '```',
      '',
      'Raising the pool to 40.',
    ]),
    text(1, 'Back to normal.', { to: 1 }),
    file(2, 'incident-{n}.md'),
  ],
  [
    html('bot', '<p>Release <b>{version}</b> reached everybody at {time}.</p>'),
    text(0, 'No complaints so far. Well done.', { to: 0 }),
    text(2, 'Famous last words.', { to: 1 }),
  ],
];
