/** A chart whose marks show a tooltip when the pointer or the focus is on them. It's one tab stop; arrow keys move in it. */
import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface Mark {
  /** The name and number of the mark. */
  readonly label: string;
  /** The top of the pointer of its tooltip, in pixels. */
  readonly x: number;
  readonly y: number;
  readonly shape: JSX.Element;
  readonly onSelect?: () => void;
}

interface Props {
  label: string;
  width: number;
  height: number;
  marks: readonly Mark[];
  /** How many marks the up and down keys move by; undefined if they are in one row. */
  columns?: number;
  /** The parts that aren't marks, such as the axes. */
  children: ComponentChildren;
}

export function Marks({ label, width, height, marks, columns, children }: Props) {
  const svg = useRef<SVGSVGElement>(null);
  const [current, setCurrent] = useState(0);
  const [pointed, setPointed] = useState<number>();
  const [focused, setFocused] = useState<number>();
  const stop = Math.min(current, marks.length - 1);
  const shown = marks[pointed ?? focused ?? -1];
  const moveTo = (index: number) => {
    if (index < 0 || index >= marks.length) return;
    setCurrent(index);
    svg.current?.querySelectorAll<SVGGElement>('[data-mark]')[index]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps: Record<string, number> = {
      ArrowLeft: stop - 1,
      ArrowRight: stop + 1,
      Home: 0,
      End: marks.length - 1,
      ...(columns && { ArrowUp: stop - columns, ArrowDown: stop + columns }),
    };
    const next = steps[event.key];
    if (next !== undefined) moveTo(next);
    else if (event.key === 'Enter' || event.key === ' ') marks[stop]?.onSelect?.();
    else return;
    event.preventDefault();
  };
  const share = shown && (shown.x / width) * 100;
  return (
    <div class="chart" onPointerLeave={() => setPointed(undefined)}>
      {/* biome-ignore lint/a11y/useSemanticElements: SVG has none */}
      <svg ref={svg} role="group" aria-label={label} width={width} height={height} onKeyDown={onKeyDown}>
        {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: it isn't focusable */}
        <g aria-hidden="true">{children}</g>
        {marks.map(({ label, shape, onSelect }, index) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: it has a role
          <g
            key={index}
            data-mark=""
            class={onSelect && 'selectable'}
            role={onSelect ? 'button' : 'img'}
            aria-label={label}
            // Names of SVG attributes are case-sensitive.
            tabindex={index === stop ? 0 : -1}
            onPointerEnter={() => setPointed(index)}
            onClick={onSelect}
            onFocus={() => {
              setCurrent(index);
              setFocused(index);
              setPointed(undefined);
            }}
            onBlur={() => setFocused(undefined)}
          >
            {shape}
          </g>
        ))}
      </svg>
      {shown && (
        <div
          class="tooltip"
          aria-hidden="true"
          style={{ left: `${share}%`, top: `${shown.y}px`, transform: `translate(-${share}%, -100%)` }}
        >
          {shown.label}
        </div>
      )}
    </div>
  );
}

/** An element, and its width in pixels; 0 before it's known. */
export function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => setWidth(Math.floor(element.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}
