/** A page that stands in for Excel on the web, at its address: a workbook, and beside it the task pane in a frame of another site. */
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { type BrowserContext, expect, type FrameLocator, type Locator, type Page } from '@playwright/test'
import type { StoredCell, Value, Workbook } from './workbook.ts'

const excel = 'https://excel.officeapps.live.com'
const folder = import.meta.dirname

export type Rows = readonly (readonly (Value | StoredCell)[])[]

/** A day as a sheet holds it: the number of it, and a format. */
export function day(iso: string): StoredCell {
  return { value: (Date.parse(iso) - Date.UTC(1899, 11, 30)) / 86_400_000, format: 'yyyy-mm-dd' }
}

export interface Excel {
  readonly pane: FrameLocator
  /** A cell of the shown part of the sheet, such as `C17`. */
  cell(address: string): Locator
  /** As a person does it. */
  type(address: string, value: Value): Promise<void>
  /** What stands in the workbook, for what the page does not show. */
  ask<Told>(about: (workbook: Workbook) => Told): Promise<Told>
}

export async function openExcel(page: Page, rows: Rows, paneWidth = 320): Promise<Excel> {
  const context = page.context()
  await serveStandIn(context, paneWidth)
  // A page of the internet that shows one of this machine, which a browser asks about.
  await context.grantPermissions(['local-network-access'], { origin: excel })
  const pane = `http://localhost:${process.env['TRIBUTARY_E2E_PORT']}/addin/`
  await page.addInitScript((given) => void Object.assign(window, { given }), {
    pane,
    name: 'plan.xlsx',
    sheet: 'Plan',
    rows,
  })
  await page.goto(excel)
  await expect(page.getByRole('table', { name: 'Plan' })).toBeVisible()
  return {
    pane: page.frameLocator('iframe[title="Tributary"]'),
    cell: (address) => page.locator(`[data-address="${address}"]`),
    type: (address, value) =>
      page.evaluate(([at, what]) => window.workbook.active.type(at, what), [address, value] as const),
    ask: async (about) => (await page.evaluate(`(${about.toString()})(window.workbook)`)) as ReturnType<typeof about>,
  }
}

async function serveStandIn(context: BrowserContext, paneWidth: number): Promise<void> {
  const script = (name: string) => ({
    contentType: 'text/javascript',
    body: stripTypeScriptTypes(readFileSync(join(folder, name), 'utf8')),
  })
  await context.route('https://appsforoffice.microsoft.com/lib/1/hosted/office.js', (route) =>
    route.fulfill(script('office.ts')),
  )
  await context.route(`${excel}/**`, (route) => {
    const name = new URL(route.request().url()).pathname.slice(1)
    return route.fulfill(name === '' ? { contentType: 'text/html', body: sheetPage(paneWidth) } : script(name))
  })
}

function sheetPage(paneWidth: number): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>plan.xlsx</title><link rel="icon" href="data:,"><style>
    body { display: grid; grid-template-columns: 1fr ${paneWidth}px; height: 100vh; margin: 0; font: 13px sans-serif; }
    table { overflow: hidden; border-collapse: collapse; align-self: start; } th, td { border: 1px solid #ddd; padding: 2px 6px; min-width: 64px; height: 20px; white-space: nowrap; }
    [aria-selected] { outline: 2px solid #107c41; } iframe { width: 100%; height: 100%; border: 0; border-left: 1px solid #ccc; }
  </style></head><body><script type="module" src="/excel.ts"></script></body></html>`
}
