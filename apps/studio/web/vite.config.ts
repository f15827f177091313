import {defineConfig} from 'vite';

// The built page is embedded in the program: few files, no maps, no addresses outside. `npm run dev` passes what belongs to the
// server on to DASHPOT_STUDIO (default: the mock server).
const server = process.env.DASHPOT_STUDIO ?? 'http://127.0.0.1:8735';

export default defineConfig({
  base: './',
  build: {
    target: 'es2022',
    modulePreload: {polyfill: false},
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1024,
    rollupOptions: {
      output: {entryFileNames: 'assets/studio.js', chunkFileNames: 'assets/[name].js', assetFileNames: 'assets/[name][extname]'},
    },
  },
  server: {proxy: {'/api': server, '/socket': {target: server, ws: true}}},
});
