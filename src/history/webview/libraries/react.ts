/** What the virtual list wants of React, by preact: a fraction of preact's own layer for all of React. */
import { Component, type ComponentType, h, options, type Ref } from 'preact';
import { useEffect, useImperativeHandle, useLayoutEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import { jsx as plainJsx } from 'preact/jsx-runtime';

export { useEffect, useImperativeHandle, useLayoutEffect, useMemo, useReducer, useRef };

type Props = Readonly<Record<string, unknown>>;

/** In React, numbers of a style are pixels. */
function withPixels({ style, ...props }: Props): Props {
  if (!style) return props;
  const entries = Object.entries(style).map(([name, value]) => [
    name,
    typeof value === 'number' ? `${value}px` : value,
  ]);
  return { ...props, style: Object.fromEntries(entries) };
}

export const jsx = (type: ComponentType, props: Props, key?: string) => plainJsx(type, withPixels(props), key);

/** preact gives a component its `ref` as a property. */
export const forwardRef =
  (render: (props: Props, ref: Ref<unknown> | undefined) => unknown) =>
  ({ ref, ...props }: Props & { ref?: Ref<unknown> }) =>
    render(props, ref);

/** Renders again only with other properties. */
export function memo(inner: ComponentType<Props>) {
  return class extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      const names = Object.keys(next);
      return names.length !== Object.keys(this.props).length || names.some((name) => next[name] !== this.props[name]);
    }
    override render() {
      return h(inner, this.props);
    }
  };
}

/** What changes while it acts is rendered before it returns. */
export function flushSync(act: () => void): void {
  const { debounceRendering } = options;
  let flush: (() => void) | undefined;
  options.debounceRendering = (renderAll) => {
    flush = renderAll;
  };
  try {
    act();
    flush?.();
  } finally {
    if (debounceRendering) options.debounceRendering = debounceRendering;
    else delete options.debounceRendering;
  }
}
