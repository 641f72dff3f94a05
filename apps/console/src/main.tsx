import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Problem } from './api/problem';
import { router } from './router';
import './style.css';
import { cspNonce } from './ui/csp-nonce';

setNonce(cspNonce());

const MAX_TRIES = 2;
const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // What the API refused it would refuse again; what did not arrive is worth another try.
      retry: (failures, error) =>
        failures < MAX_TRIES && !(error instanceof Problem && error.status >= 400 && error.status < 500),
    },
  },
});

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
