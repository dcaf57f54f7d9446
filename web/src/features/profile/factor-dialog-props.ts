/** Props of the dialogs that change an authentication factor. */
export interface FactorDialogProps {
  hasPassword: boolean
  onDone: (recoveryCodes: readonly string[]) => Promise<void>
  onClose: () => void
}
