/** Why Tributary does not start, in one line for the operator's console. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused'
}
