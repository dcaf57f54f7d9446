/** Office around the pane: its version and theme, its dialogs, and the settings that it stores in the workbook. */
import { PaneError } from '../api/pane-error.ts'

/** `blocked`: the script of Office, which comes from Microsoft, was not loaded. */
export type OfficeHost = 'excel' | 'elsewhere' | 'blocked'

/** The requirement set of Excel 2019 and later. */
const requiredApi = '1.9'

export async function startOffice(): Promise<OfficeHost> {
  if (typeof Office === 'undefined') return 'blocked'
  const { host } = await Office.onReady()
  return host === Office.HostType.Excel && Office.context.requirements.isSetSupported('ExcelApi', requiredApi)
    ? 'excel'
    : 'elsewhere'
}

/** Undefined where Excel reports no theme, as on the web. */
export function isOfficeDark(): boolean | undefined {
  const theme = Office.context.officeTheme as Office.OfficeTheme | undefined
  return theme?.isDarkTheme
}

/**
 * Opens a dialog at a path of this origin. Resolves to the message that it sends, or to null when the user closes it.
 * Throws a PaneError if it cannot open.
 */
export function openDialog(path: string): Promise<string | null> {
  const { promise, resolve, reject } = Promise.withResolvers<string | null>()
  Office.context.ui.displayDialogAsync(new URL(path, location.origin).href, { height: 65, width: 35 }, (result) => {
    if (result.status !== Office.AsyncResultStatus.Succeeded)
      return reject(new PaneError(describeDialogError(result.error.code)))
    const dialog = result.value
    dialog.addEventHandler(Office.EventType.DialogMessageReceived, (event) => {
      // Older hosts report no origin; they deliver messages of the same origin only.
      if (!('message' in event) || (event.origin !== undefined && event.origin !== location.origin)) return
      dialog.close()
      resolve(event.message)
    })
    dialog.addEventHandler(Office.EventType.DialogEventReceived, () => resolve(null))
  })
  return promise
}

/** Sends a message from the dialog to the pane that opened it. */
export function sendToPane(message: string): void {
  Office.context.ui.messageParent(message, { targetOrigin: location.origin })
}

/** Codes: learn.microsoft.com, "Handle errors and events in the Office dialog box". */
function describeDialogError(code: number): string {
  if (code === 12_007) return 'The sign-in window is open already. Finish there, or close it and try again.'
  if (code === 12_009)
    return 'Excel asked whether the sign-in window may open, and that was declined. Choose ‘Allow’ next time.'
  if (code === 12_011) return 'The browser keeps Excel from opening windows. Allow pop-ups for this page and try again.'
  return 'The sign-in window could not be opened. Close the pane, open it again, and try once more.'
}

/** Returns the value that the pane has stored in this workbook, or undefined. */
export function readSetting(name: string): unknown {
  return Office.context.document.settings.get(name) ?? undefined
}

/** The workbook holds the value when it is saved, for every user who opens it. Undefined removes it. */
export async function writeSetting(name: string, value: object | undefined): Promise<void> {
  const { settings } = Office.context.document
  if (value === undefined) settings.remove(name)
  else settings.set(name, value)
  // A read-only workbook stores nothing, and the pane works without.
  await new Promise<void>((resolve) => settings.saveAsync(() => resolve()))
}

/** Notes need ExcelApi 1.18. */
export function supportsNotes(): boolean {
  return Office.context.requirements.isSetSupported('ExcelApi', '1.18')
}
