/**
 * Replaces the package of the same name, which tedious loads at its start. Signing in to SQL Server with Microsoft Entra is not offered, so
 * nothing calls its exports. The real Azure packages would add 55 MB and 40 packages to every installation.
 */
module.exports = {}
