import tailwind from '@tailwindcss/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/console/',
  plugins: [tailwind()],
  build: {
    outDir: '../../dist/apps/console',
    emptyOutDir: true,
    target: ['chrome123', 'firefox120', 'safari17.5'],
    // Data URLs would need a wider Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
