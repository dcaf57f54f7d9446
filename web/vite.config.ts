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
 * - `verification`: the fields for a code, and the checkbox and switch that many other pages have, too;
 * - `registration`: sign-up and the fields for a new password;
 * - `signed-in`: the shell and home, and all styles but those of sign-in and of the calendar;
 * - `overlays`: positioning, portals and scrolling, which menus, tooltips and dialogs share;
 * - `native-select`: the plain select, which has a part of the one with a list;
 * - `shared`: what several pages share. Not what only overlays use, which load when opened, nor what is large and in two pages;
 * - `structure-map`, `link-editor`, `checkbox-list`, `excel`: what is missing in a plan, the link editor, its lists, the lists of the Excel section;
 * - `dialogs`, `bulk-dialogs`, `alerts`, `excel-dialogs`: the fields of dialogs, the dialogs about many records, channels of alerts, the
 *   dialogs of the Excel section.
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
    test: /\/(?:Checkbox|InlineInput|Switch)\/|domain\/sign-in\/(?:verification-|resend-)/,
  },
  {
    name: 'registration',
    test: /web\/src\/(?:features\/sign-up\/(?:sign-up-(?:page|form)|use-(?:sign-up|availability)|.*\.css)|domain\/sign-in\/)/,
  },
  {
    name: 'signed-in',
    test: /\/use-debounced-callback\/|web\/src\/(?:app\/shell\/(?!re-authentication-dialog|organisation-popover)|features\/home\/|ui\/dialogs\/(?:dialog|unsaved-changes)\.)|(?<!mantine\/dates\/styles\.layer)\.css$/,
  },
  {
    name: 'overlays',
    minShareCount: 2,
    test: /node_modules\/@floating-ui\/|\/(?:Accordion|DirectionProvider|Floating|Overlay|Paper|Popover|Portal|ScrollArea|close-on-escape|create-event-handler|create-safe-context|get-default-z-index|get-ref-prop|use-click-outside|use-focus-return|use-long-press|use-window-event)\//,
  },
  { name: 'native-select', minShareCount: 2, test: /\/(?:Combobox|NativeSelect)\// },
  {
    name: 'shared',
    minShareCount: 2,
    test: /node_modules\/(?!@mantine\/dates|dayjs|react-remove-scroll|react-style-singleton|use-(?:sidecar|callback-ref)|tslib|get-nonce|.*\/(?:Modal(?:Base)?|Textarea)\/)|client\/src\/|web\/src\/(?:api\/|ui\/(?!forms\/(?:(?:choice|date)-field|typed-dates)|tables\/virtual-table)|domain\/(?!alerts\/|link-editor\/|structure-map\/|records\/(?:bulk-|delete-dialog)|databases\/database-)|features\/(?:(?:admin|audit-log|global-configuration|insights|organisations|users|accounting)\/|connectors\/(?!schedule\/)))/,
  },
  { name: 'structure-map', test: /web\/src\/domain\/structure-map\// },
  { name: 'checkbox-list', minShareCount: 2, test: /web\/src\/domain\/link-editor\/(?:checkbox-list|virtual-list)/ },
  { name: 'link-editor', test: /web\/src\/(?:domain\/link-editor\/|api\/queries\/planning-structure)/ },
  { name: 'excel', test: /web\/src\/features\/planning-structure\/(?!.*-dialog)/ },
  {
    name: 'dialogs',
    test: /components\/Textarea\/|web\/src\/ui\/forms\/choice-fields/,
  },
  { name: 'bulk-dialogs', test: /web\/src\/domain\/records\/(?:bulk-|delete-dialog)/ },
  { name: 'alerts', test: /web\/src\/domain\/alerts\/alert-(?:channels|queries|words)/ },
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
    rolldownOptions: {
      output: { codeSplitting: { groups: chunkGroups } },
      // A slow build is no fault of its plugins on a busy machine, and a warning would worry who starts the product.
      checks: { bundlerTimings: false },
    },
  },
  server: { port: 5173, proxy: { '/api': { target: api } } },
})
