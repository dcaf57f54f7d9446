/** Opens the fake Excel on the web at Excel's address: a workbook with the task pane in a cross-site frame. */
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { type BrowserContext, expect, type FrameLocator, type Locator, type Page } from '@playwright/test'
import type { StoredCell, CellContent, Workbook } from './workbook.ts'

const excel = 'https://excel.officeapps.live.com'
const folder = import.meta.dirname

export type SheetRows = readonly (readonly (CellContent | StoredCell)[])[]

/** A day as Excel stores it: a serial number with a date format. */
export function day(iso: string): StoredCell {
  return { value: (Date.parse(iso) - Date.UTC(1899, 11, 30)) / 86_400_000, format: 'yyyy-mm-dd' }
}

export interface Excel {
  readonly pane: FrameLocator
  /** A cell of the visible part of the sheet, such as `C17`. */
  cell(address: string): Locator
  /** Types into a cell like a user. */
  type(address: string, value: CellContent): Promise<void>
  /** Reads from the workbook what the page does not show. */
  read<Result>(about: (workbook: Workbook) => Result): Promise<Result>
}

export async function openExcel(page: Page, rows: SheetRows, paneWidth = 320): Promise<Excel> {
  const context = page.context()
  await serveStandIn(context, paneWidth)
  // The browser asks for permission before an internet page embeds a page of this machine.
  await context.grantPermissions(['local-network-access'], { origin: excel })
  const pane = `http://localhost:${process.env['TRIBUTARY_E2E_PORT']}/addin/`
  await page.addInitScript((standInInput) => void Object.assign(window, { standInInput }), {
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
    read: async (about) => (await page.evaluate(`(${about.toString()})(window.workbook)`)) as ReturnType<typeof about>,
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
