import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { precompress } from '../tools/precompress.ts'

const api = process.env['TRIBUTARY_API'] ?? 'http://127.0.0.1:3000'

/**
 * Home should be there after few requests, and sign-in should carry nothing of the rest: one file holds what the entry needs,
 * sign-in included, one what all signed-in pages share, home included. Every other page's own code stays in a chunk of its own.
 */
const chunkGroups = [
  { name: 'index', priority: 2, tags: ['$initial' as const] },
  {
    name: 'signed-in',
    priority: 1,
    test: /node_modules\/(?:@mantine|@floating-ui|@tabler|@tanstack)\/|web\/src\/(?:api|ui|app\/shell|features\/home)\//,
  },
]

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), preload(), precompress()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
    // Inlined assets would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // What a page may weigh is measured by bench/portal-bundle.mjs, as it travels.
    chunkSizeWarningLimit: 700,
    rolldownOptions: { output: { codeSplitting: { groups: chunkGroups } } },
  },
  server: { port: 5173, proxy: { '/api': { target: api } } },
})

/**
 * Files that a page would ask for only when it has read another one: the font, after the style sheet; and what every signed-in
 * page shares, after the entry. The latter are named to `first-paint.js`, which knows whether somebody is signed in.
 */
function preload(): Plugin {
  return {
    name: 'preload',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const names = Object.keys(bundle ?? {})
        const font = names.find((name) => /geist-latin-wght.*\.woff2$/.test(name))
        if (font === undefined) return []
        const shared = names.filter((name) => /\/signed-in-.*\.(?:js|css)$/.test(name)).map((name) => `/${name}`)
        return {
          html: html.replace('<script src="/first-paint.js"', `<script src="/first-paint.js" data-signed-in="${shared.join(' ')}"`),
          tags: [
            { tag: 'link', attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `/${font}` }, injectTo: 'head' },
          ],
        }
      },
    },
  }
}
