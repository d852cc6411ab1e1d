/** `nvcr.io/nvidia/pytorch:24.05-py3`: a reference as users write it. */
export const shortReference = (reference: string) => reference.replace(/^docker:\/\//, "");
