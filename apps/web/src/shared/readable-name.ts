/** Makes a machine's name readable: `fundingIban` becomes "Funding iban". */

const spaced = (name: string): string => name.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[_.:/-]+/g, ' ');

export const readableName = (name: string): string => {
  const words = spaced(name).trim();
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
};
