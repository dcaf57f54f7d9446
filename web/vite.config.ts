import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { precompress } from '../tools/precompress.ts'
import { commonPasswordsModule } from './plugins/common-passwords.ts'
import { compileHint } from './plugins/compile-hint.ts'
import { guidesModule } from './plugins/guides.ts'
import { routeManifest } from './plugins/route-manifest.ts'
import { trimFont } from './plugins/trim-font.ts'

const api = process.env['TRIBUTARY_API'] ?? 'http://127.0.0.1:3000'

/**
 * A page loads few files, because on a slow line a request costs more than its bytes, and sign-in and home load nothing of other pages.
 * A group takes its modules with all their imports, and an earlier group wins:
 * - `index`: the entry with sign-in;
 * - `react-dom`: rendering, the current time, and mutations with their error, which nearly every page shares;
 * - `forms`: form state and its text fields, which sign-in does without;
 * - `verification`: the fields for a code, and the checkbox that many other pages have, too;
 * - `registration`: sign-up and the fields for a new password;
 * - `signed-in`: the shell and home, and all styles but those of sign-in and of the calendar;
 * - `shared`: what several pages share. Not what only dialogs and popovers use, which load when opened, nor what is large and in two pages;
 * - `link-editor`, `excel`: the link editor, the lists of the Excel section;
 * - `dialogs`, `excel-dialogs`: what dialogs share, the dialogs of the Excel section.
 *
 * All other pages and dialogs are chunks of their own.
 */
const chunkGroups = [
  { name: 'index', tags: ['$initial' as const] },
  {
    name: 'react-dom',
    test: /node_modules\/(?:react-dom|scheduler)\/|\/use-merged-ref\/|web\/src\/(?:api\/use-mutation|domain\/(?:requests\/mutation-error|time\/use-now))/,
  },
  {
    name: 'forms',
    test: /node_modules\/(?:@mantine\/form|klona|fast-deep-equal)\/|web\/src\/(?:ui\/forms\/(?:use-form|text-fields|validate-)|domain\/requests\/field-errors)/,
  },
  {
    name: 'verification',
    test: /\/(?:Checkbox|InlineInput)\/|domain\/sign-in\/(?:verification-|resend-)/,
  },
  {
    name: 'registration',
    test: /web\/src\/(?:features\/sign-up\/(?:sign-up-(?:page|form)|use-(?:sign-up|availability)|.*\.css)|domain\/sign-in\/)/,
  },
  {
    name: 'signed-in',
    test: /web\/src\/(?:app\/shell\/(?!re-authentication-dialog)|features\/home\/)|(?<!mantine\/dates\/styles\.layer)\.css$/,
  },
  {
    name: 'shared',
    minShareCount: 2,
    test: /node_modules\/(?!@floating-ui|@mantine\/dates|dayjs|.*\/(?:ScrollArea|Textarea|Switch|Overlay|Popover|Floating|use-long-press|use-click-outside)\/)|client\/src\/|web\/src\/(?:api\/|ui\/(?!forms\/(?:(?:choice|date)-field|typed-dates)|tables\/virtual-table)|domain\/(?!link-editor\/|records\/(?:bulk-|delete-dialog)|databases\/database-)|features\/(?:(?:admin|audit-log|global-configuration|insights|organisations|users|accounting)\/|connectors\/(?!schedule\/)))/,
  },
  { name: 'link-editor', test: /web\/src\/(?:domain\/link-editor\/|api\/queries\/planning-structure)/ },
  { name: 'excel', test: /web\/src\/features\/planning-structure\/(?!.*-dialog)/ },
  {
    name: 'dialogs',
    test: /components\/(?:Textarea|Switch)\/|web\/src\/(?:ui\/forms\/choice-fields|domain\/records\/(?:bulk-|delete-dialog))/,
  },
  { name: 'excel-dialogs', test: /web\/src\/features\/planning-structure\/.*-dialog/ },
].map((group, index, { length }) => ({ ...group, priority: length - index }))

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    commonPasswordsModule(),
    guidesModule(),
    routeManifest(),
    compileHint(),
    trimFont(),
    precompress(),
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
    // Inlined assets would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // testing/bench/portal/portal-bundle.mjs measures the compressed sizes against their budgets.
    chunkSizeWarningLimit: 700,
    rolldownOptions: { output: { codeSplitting: { groups: chunkGroups } } },
  },
  server: { port: 5173, proxy: { '/api': { target: api } } },
})
