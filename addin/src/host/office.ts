/** Excel around the pane: whether it is there, how it looks, its dialogs, and what it keeps with the workbook. */
import { Refusal } from '../api/call-error.ts'

export type Host = 'excel' | 'elsewhere' | 'blocked'

/** The pane needs what Excel 2019 and later have. */
const needed = '1.9'

/** `blocked`: the script of Office, which comes from Microsoft, was not loaded. */
export async function startOffice(): Promise<Host> {
  if (typeof Office === 'undefined') return 'blocked'
  const { host } = await Office.onReady()
  return host === Office.HostType.Excel && Office.context.requirements.isSetSupported('ExcelApi', needed)
    ? 'excel'
    : 'elsewhere'
}

/** Undefined where Excel does not say, as on the web. */
export function isOfficeDark(): boolean | undefined {
  const theme = Office.context.officeTheme as Office.OfficeTheme | undefined
  return theme?.isDarkTheme
}

/** What the dialog at that path of our own origin tells, or null when the person closes it. Throws a Refusal if it cannot open. */
export function askInDialog(path: string): Promise<string | null> {
  const { promise, resolve, reject } = Promise.withResolvers<string | null>()
  Office.context.ui.displayDialogAsync(new URL(path, location.origin).href, { height: 65, width: 35 }, (opened) => {
    if (opened.status !== Office.AsyncResultStatus.Succeeded)
      return reject(new Refusal(whyNotOpened(opened.error.code)))
    const dialog = opened.value
    dialog.addEventHandler(Office.EventType.DialogMessageReceived, (told) => {
      // Older hosts name no origin; they let through only what comes from our own.
      if (!('message' in told) || (told.origin !== undefined && told.origin !== location.origin)) return
      dialog.close()
      resolve(told.message)
    })
    dialog.addEventHandler(Office.EventType.DialogEventReceived, () => resolve(null))
  })
  return promise
}

/** To the pane that has opened this dialog. */
export function tellParent(message: string): void {
  Office.context.ui.messageParent(message, { targetOrigin: location.origin })
}

function whyNotOpened(code: number): string {
  if (code === 12_007) return 'The sign-in window is open already. Finish there, or close it and try again.'
  if (code === 12_009)
    return 'Excel asked whether the sign-in window may open, and that was declined. Choose ‘Allow’ next time.'
  if (code === 12_011) return 'The browser keeps Excel from opening windows. Allow pop-ups for this page and try again.'
  return 'The sign-in window could not be opened. Close the pane, open it again, and try once more.'
}

/** What the pane has kept with this workbook under that name; undefined if nothing. */
export function readKept(name: string): unknown {
  return Office.context.document.settings.get(name) ?? undefined
}

/** Stays with the workbook when it is saved, for everybody who opens it. Undefined forgets it. */
export async function keep(name: string, value: object | undefined): Promise<void> {
  const { settings } = Office.context.document
  if (value === undefined) settings.remove(name)
  else settings.set(name, value)
  // A workbook that may not be written keeps nothing, and all works as before.
  await new Promise<void>((resolve) => settings.saveAsync(() => resolve()))
}

export function hasNotes(): boolean {
  return Office.context.requirements.isSetSupported('ExcelApi', '1.18')
}
