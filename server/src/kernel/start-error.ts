/** Why Tributary does not start, in one line for the person at the console. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused'
}
