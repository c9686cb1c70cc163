import { Component, type ComponentChild } from 'preact';

/** A component that is rendered again only if one of its properties has changed. */
export function memo<Props extends object>(show: (props: Props) => ComponentChild) {
  return class extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      return (Object.keys(next) as (keyof Props)[]).some((name) => next[name] !== this.props[name]);
    }
    override render() {
      return show(this.props);
    }
  };
}
