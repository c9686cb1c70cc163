/** Links of messages go the way of their buttons: VS Code asks before it opens them. */

import { webAddress } from '../../markup/links.ts';
import { tell } from './host.ts';

/** From a trusted workspace VS Code opens the links of a page without asking; it never hears of clicks that end here. */
export function askBeforeLeaving(): void {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const url = webAddress(link?.getAttribute('href') ?? '');
    if (url === undefined) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    tell({ type: 'open', url });
  });
}
