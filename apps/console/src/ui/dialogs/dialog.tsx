import { Dialog as Primitive } from 'radix-ui';
import { useRef, type ReactNode } from 'react';
import { headingAmong } from '../focus/kept-focus';

interface Props {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly description?: ReactNode;
  readonly children: ReactNode;
}

/** A modal dialog: the focus stays inside, Escape closes it, and the focus returns to where it was. */
export function Dialog({ open, onClose, title, description, children }: Props) {
  // The library gives the focus back to a trigger of its own, and our dialogs are opened by whatever asks for them.
  const opener = useRef<Element | null>(null);
  return (
    <Primitive.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 bg-black/50" />
        <Primitive.Content
          className="border-line bg-panel fixed top-1/2 left-1/2 z-50 max-h-[90vh] w-[min(34rem,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/2 overflow-auto rounded-lg border p-5 shadow-xl"
          onOpenAutoFocus={() => (opener.current = document.activeElement)}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            returnFocus(opener.current);
          }}
          {...(!description && { 'aria-describedby': undefined })}
        >
          <Primitive.Title className="text-lg font-semibold">{title}</Primitive.Title>
          {description ? (
            <Primitive.Description className="text-quiet mt-1 text-sm">{description}</Primitive.Description>
          ) : null}
          <div className="mt-4">{children}</div>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** What opened the dialog may be gone with what was done in it. */
function returnFocus(opener: Element | null): void {
  const target = opener?.isConnected ? opener : headingAmong([]);
  if (target instanceof HTMLElement) target.focus();
}
