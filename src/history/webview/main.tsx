/** Shows what the host says. */
import { render } from 'preact';
import { App, type View } from './app.tsx';
import './history.css';
import { listen } from './host.ts';

let view: View = {
  heading: { name: '', summary: '', readAs: '' },
  entries: [],
  older: { at: 'open' },
  newer: { at: 'loading' },
};

const paint = () => render(<App view={view} />, document.body);

listen((message) => {
  switch (message.type) {
    case 'heading':
      view = { ...view, heading: message };
      break;
    case 'edges':
      view = { ...view, older: message.older, newer: message.newer };
      break;
    case 'entries': {
      const { where, entries } = message;
      const shown = where === 'all' ? [] : view.entries;
      view = { ...view, entries: where === 'older' ? [...entries, ...shown] : [...shown, ...entries] };
    }
  }
  paint();
});
paint();
