import { DisplayableError } from '@tributary/client/call-error'

/** An error of the pane itself, about Excel or about what the user chose. */
export class PaneError extends DisplayableError {
  override readonly name = 'PaneError'
}
