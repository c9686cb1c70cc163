/** Pictures that do not come. */
import { visible } from '../../markup/invisibles.ts';

/** Puts the words of a picture, or else its address, in the place of one that could not be loaded. */
export function brokenPicture({ target }: Event): void {
  if (target instanceof HTMLImageElement) target.replaceWith(target.alt || visible(target.src));
}
