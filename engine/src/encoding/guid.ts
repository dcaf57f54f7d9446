/** How GUIDs are written, in either case. */
export const guidForm = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
