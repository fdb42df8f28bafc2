/** The record to replay waits here between two pages. */
const KEY = "umpire.record";

export const keepRecord = (record: string) => sessionStorage.setItem(KEY, record);
export const keptRecord = () => sessionStorage.getItem(KEY);
