import react from '@vitejs/plugin-react'
import { resolve } from 'node:path'
import { defineConfig } from 'vite'
import { precompress } from '../tools/precompress.ts'

const api = process.env['TRIBUTARY_API'] ?? 'http://127.0.0.1:3000'

export default defineConfig({
  root: import.meta.dirname,
  base: '/addin/',
  plugins: [react(), precompress()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
    // Inlined assets would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      checks: { bundlerTimings: false },
      input: { index: resolve(import.meta.dirname, 'index.html'), dialog: resolve(import.meta.dirname, 'dialog.html') },
    },
  },
  server: { port: 5174, proxy: { '/api': { target: api } } },
})
