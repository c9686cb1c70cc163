import { image, type Scene, text } from './scene.ts';

/** The photographers, in Chinese: without a bot. */
export const film: readonly Scene[] = [
  [
    text(0, '昨天傍晚在河边拍了一卷,刚冲出来。'),
    image(0, '{key}-dusk.jpg'),
    text(1, '漏光漏得正好,像有人在画面外点了灯。', { to: 1 }),
  ],
];
