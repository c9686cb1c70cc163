/** A button that shows only an icon. */

interface Props {
  label: string;
  /** An SVG path, 16 units wide and high. */
  icon: string;
  /** It stays where the focus is, but does nothing. */
  isDisabled?: boolean;
  onClick(): void;
}

export function IconButton({ label, icon, isDisabled = false, onClick }: Props) {
  return (
    <button
      type="button"
      class="icon"
      title={label}
      aria-label={label}
      aria-disabled={isDisabled || undefined}
      onClick={() => !isDisabled && onClick()}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d={icon} fill="none" stroke="currentColor" stroke-width="1.4" />
      </svg>
    </button>
  );
}
