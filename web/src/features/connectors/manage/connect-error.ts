/** Messages for `?error=` on the management page, quoted from the specification. */
export function connectErrorMessage(error: string, type: string): string {
  switch (error) {
    case 'unauthorised':
      return `Adding the ${type} connector was either cancelled or was not allowed.`
    case 'connector_exists':
      return `The ${type} connector you are trying to add already belongs to another organisation. Please speak to your organisation administrator.`
    default:
      return `Something seems to have gone wrong while trying to add the ${type} connector. Please try again.`
  }
}
