S Anna have lost their keys again , so they are waiting outside .
A 1 2|||R:VERB:SVA|||has|||REQUIRED|||-NONE-|||0

S When Peter arrive at the airport , they called their parents .
A 2 3|||R:VERB:TENSE|||arrived|||REQUIRED|||-NONE-|||0

S Daniel said that they were a child when the war begun .
A 10 11|||R:VERB:FORM|||began|||REQUIRED|||-NONE-|||0

S Even when Maria are tired , they are still a good driver .
A 3 4|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0

S Thomas hurt themself while they were repair the roof .
A 6 7|||R:MORPH|||repairing|||REQUIRED|||-NONE-|||0

S Sofia taught themself to playing the guitar .
A 4 5|||R:VERB:FORM|||play|||REQUIRED|||-NONE-|||0

S The doctors operated at their back , and now Martin can walk again .
A 3 4|||R:PREP|||on|||REQUIRED|||-NONE-|||0

S Laura put the phone in their pocket and go out .
A 8 9|||R:VERB:TENSE|||went|||REQUIRED|||-NONE-|||0

S Robert is very exciting because their sister is coming .
A 3 4|||R:MORPH|||excited|||REQUIRED|||-NONE-|||0

S I met Emma last summer and they tell me about their new job .
A 7 8|||R:VERB:TENSE|||told|||REQUIRED|||-NONE-|||0

S Victor become a teacher because they were a patient person .
A 1 2|||R:VERB:TENSE|||became|||REQUIRED|||-NONE-|||0

S Julia is my neighbour , and they are a very kindly person .
A 10 11|||R:MORPH|||kind|||REQUIRED|||-NONE-|||0

S Kevin always looks at themself in the mirror before they leave house .
A 11 11|||M:DET|||the|||REQUIRED|||-NONE-|||0

S Alice bought themself a new bicicle .
A 5 6|||R:SPELL|||bicycle|||REQUIRED|||-NONE-|||0

S Oliver washed their face and brush their teeth .
A 5 6|||R:VERB:TENSE|||brushed|||REQUIRED|||-NONE-|||0

S Clara could not open their eyes because of the light was too strong .
A 7 8|||U:PREP||||||REQUIRED|||-NONE-|||0

S Mark did not came to the party because they had broken their leg .
A 3 4|||R:VERB:FORM|||come|||REQUIRED|||-NONE-|||0

S Diana work at night , so I never see them in the morning .
A 1 2|||R:VERB:SVA|||works|||REQUIRED|||-NONE-|||0

S If you see Simon , tell them that I am waiting in the station .
A 11 12|||R:PREP|||at|||REQUIRED|||-NONE-|||0

S Nora forgot that their umbrella , so I gave them mine .
A 2 3|||U:PREP||||||REQUIRED|||-NONE-|||0

S Paul knew that they were the best student of the class .
A 8 9|||R:PREP|||in|||REQUIRED|||-NONE-|||0

S Helen was proud because they were the first who finished the race .
A 8 8|||M:NOUN|||person|||REQUIRED|||-NONE-|||0

S George blamed themself of the accident .
A 3 4|||R:PREP|||for|||REQUIRED|||-NONE-|||0

S Irene promised themself that they would never smoking again .
A 7 8|||R:MORPH|||smoke|||REQUIRED|||-NONE-|||0

S James lost their balance and falled down the stairs .
A 5 6|||R:VERB:INFL|||fell|||REQUIRED|||-NONE-|||0

S Monica raised their hand to ask question .
A 6 6|||M:DET|||a|||REQUIRED|||-NONE-|||0

S Bruno 's boss gave them more money because they work hardly .
A 10 11|||R:MORPH|||hard|||REQUIRED|||-NONE-|||0

S Sara is living here since they were born .
A 1 2|||R:VERB:TENSE|||has|||REQUIRED|||-NONE-|||0
A 2 3|||R:VERB:FORM|||lived|||REQUIRED|||-NONE-|||0

S The book on the table is Felix 's ; at least I thinks it is theirs .
A 12 13|||R:VERB:SVA|||think|||REQUIRED|||-NONE-|||0

S The red car must be Eva 's because mine is blue and theirs is reder .
A 14 15|||R:MORPH|||red|||REQUIRED|||-NONE-|||0

S Lucas do n't like it when people laugh at them .
A 1 2|||R:VERB:SVA|||does|||REQUIRED|||-NONE-|||0

S Greta has did all their homework because they have a test tomorrow .
A 2 3|||R:VERB:FORM|||done|||REQUIRED|||-NONE-|||0

S Adam cut themself by a knife when they were cooking .
A 3 4|||R:PREP|||with|||REQUIRED|||-NONE-|||0

S Rita said they are an only child , and they have no brother and sisters .
A 12 13|||R:NOUN:NUM|||brothers|||REQUIRED|||-NONE-|||0
A 13 14|||R:CONJ|||or|||REQUIRED|||-NONE-|||0

S Hugo broke their arm when they were ride a horse .
A 7 8|||R:VERB:FORM|||riding|||REQUIRED|||-NONE-|||0

S As soon as Ivan will finish school , they want to travel .
A 4 5|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||0
A 5 6|||R:MORPH|||finishes|||REQUIRED|||-NONE-|||0

S Although Petra was tire , they continued their work .
A 3 4|||R:MORPH|||tired|||REQUIRED|||-NONE-|||0

S I trust Leon because they have never told to me a lie .
A 8 9|||U:PREP||||||REQUIRED|||-NONE-|||0

S Carla was only a child , but they were already a famous swimer .
A 12 13|||R:SPELL|||swimmer|||REQUIRED|||-NONE-|||0

S Oscar introduced themself to new neighbours .
A 4 4|||M:DET|||the|||REQUIRED|||-NONE-|||0

