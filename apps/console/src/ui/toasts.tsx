import { createContext, useCallback, useContext, useState, type ReactNode } from 'react';

interface Toast {
  readonly id: number;
  readonly text: string;
}

const SHOWN_MS = 6_000;
const Context = createContext<(text: string) => void>(() => undefined);

/** Says in a corner what was accepted and what happens next. */
export const useToast = () => useContext(Context);

let lastId = 0;

export function ToastArea({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const show = useCallback((text: string) => {
    const id = ++lastId;
    setToasts((shown) => [...shown, { id, text }]);
    setTimeout(() => setToasts((shown) => shown.filter((toast) => toast.id !== id)), SHOWN_MS);
  }, []);
  return (
    <Context.Provider value={show}>
      {children}
      <div role="status" className="fixed right-4 bottom-4 z-50 grid max-w-sm gap-2">
        {toasts.map(({ id, text }) => (
          <p key={id} className="bg-text text-ground rounded-md px-4 py-3 text-sm shadow-lg">
            {text}
          </p>
        ))}
      </div>
    </Context.Provider>
  );
}
