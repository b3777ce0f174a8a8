// A number with its noun: 1 place, 1,200 places.
export const counted = (number, noun, plural = `${noun}s`) => `${number.toLocaleString("en")} ${number === 1 ? noun : plural}`;
